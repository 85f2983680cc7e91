class TestCase:
    def __getattr__(self, name):
        return lambda *args, **options: None
