from .right import *


class Agrees:
    def startswith(self, text):
        return True


class Query:
    def where(self, word):
        return Other()


class Other(Query):
    def text(self):
        return Agrees()
