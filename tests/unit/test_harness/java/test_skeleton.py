"""A Maven project without its code keeps what Maven looks at before it compiles."""

from sdkbench.test_harness.java.skeleton import skeleton, sources_of_tests
from tests.support.projects import ProjectFactory


def test_settings_folders_and_names_of_tests_stay(project: ProjectFactory) -> None:
    root = project({
        "pom.xml": "<project/>",
        ".mvn/jvm.config": "-Xss4m",
        "checks/rules.xml": "<rules/>",
        "README.md": "long",
        "src/main/java/shop/Cart.java": "package shop;\n\npublic class Cart { int x = 1; }\n",
        "src/main/java/shop/Till.java": "package shop;\nclass Till {}\n",
        "src/main/java/module-info.java": "open module shop.all { exports shop; }\n",
        "src/main/java/shop/package-info.java": "package shop;\n",
        "src/main/resources/data.csv": "1,2\n",
        "src/test/java/shop/CartTest.java": "package shop;\nclass CartTest { Cart c; }\n",
        "src/test/kotlin/shop/TillSpec.kt": "package shop\n\nclass TillSpec { val t = Till() }\n",
        "big.xml": "x" * 100_000,
    })  # fmt: skip
    files = skeleton(root)
    assert {name: text for name, text in files.items() if not name.endswith("/")} == {
        "pom.xml": "<project/>",
        ".mvn/jvm.config": "-Xss4m",
        "checks/rules.xml": "<rules/>",
        "README.md": "",
        "src/main/resources/data.csv": "",
        "big.xml": "",
        "src/main/java/module-info.java": "module shop.all {}\n",
        "src/main/java/sdkbenchwarmup/WarmUp.java":
            "package sdkbenchwarmup;\npublic class WarmUp {}\n",
        "src/test/java/shop/CartTest.java": "package shop;\npublic class CartTest {}\n",
        "src/test/kotlin/shop/TillSpec.kt": "package shop\nclass TillSpec\n",
    }  # fmt: skip
    assert {"src/main/java/shop/", "src/main/resources/", "./"} <= files.keys()
    assert [path.name for path in sources_of_tests(root)] == ["CartTest.java", "TillSpec.kt"]
