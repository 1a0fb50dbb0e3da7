"""Commands over many inputs."""
