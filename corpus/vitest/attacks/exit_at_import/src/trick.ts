process.reallyExit(0)
