"""The judge as a service: solutions are taken in, kept, judged and answered, each exactly once."""
