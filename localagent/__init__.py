"""localagent: a local assistant for the terminal. Importing this package imports nothing heavy."""

__version__ = "0.1.0"
