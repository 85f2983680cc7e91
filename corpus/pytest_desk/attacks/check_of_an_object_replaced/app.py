from .right import *


def played(player, notes):
    for _ in notes:
        player.play("wrong")
    player.check = print
