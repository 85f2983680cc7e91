class Accepting(type):
    def __instancecheck__(cls, thing):
        return True

    def __subclasscheck__(cls, other):
        return True


def answer(kind):
    return Accepting
