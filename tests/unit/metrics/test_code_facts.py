"""Names are followed to what they stand for, in every language."""

import pytest

from sdkbench.metrics.code.facts import CodeFacts
from sdkbench.metrics.code.manifests import dependencies_of
from sdkbench.metrics.code.targets import variables_of

PYTHON = """
import lancedb as l
from lancedb import connect as c
from lancedb.table import Table
from . import helper

class Store:
    def __init__(self, path):
        self.db = l.connect(path)
    def rows(self):
        return self.db.open_table("t").to_list()

def opened(path):
    return c(path)

def add(path, table: Table):
    with opened(path) as db:
        db.create_table("t", exist_ok=True)
    table.add([])
    for each in table: each.unknown()
"""
TYPESCRIPT = """
import Stripe, { type Config } from 'stripe'
import * as jose from 'jose'
const { auth } = require('@clerk/nextjs/server')
const client = new Stripe(process.env.KEY!, { apiVersion: '1', maxNetworkRetries: 2 })
export async function pay(id: string) {
  await client.refunds.create({ charge: id })
  const sign = () => new jose.SignJWT({}).setIssuer('x').sign(k)
  return auth()
}
"""
TSX = """
import { ClerkProvider, UserButton as Button } from '@clerk/nextjs'
export default function Layout({ children }) {
  return <ClerkProvider publishableKey={process.env['KEY']}><Button />{children}</ClerkProvider>
}
"""
GO = """
package notes
import (
  bolt "go.etcd.io/bbolt"
  "github.com/golang-jwt/jwt/v5"
)
func Open(path string) error {
  db, err := bolt.Open(path, 0600, &bolt.Options{Timeout: 1})
  if err != nil { return err }
  return db.Update(func(tx *bolt.Tx) error { return tx.Bucket(nil).Put(nil, nil) })
}
var key = os.Getenv("KEY")
var t = jwt.NewWithClaims(nil, nil)
"""
RUST = """
use redb::{Database, TableDefinition as Def};
fn open(p: &str) -> Result<(), E> {
    let db = Database::create(p)?;
    let tx = db.begin_write().unwrap();
    tx.open_table(Def::new("t"))?.insert(1, 2)?;
    std::env::var("KEY");
    Ok(())
}
"""
JAVA = """
import okhttp3.OkHttpClient;
import okhttp3.HttpUrl;
class C {
  private final OkHttpClient client = new OkHttpClient.Builder().build();
  String get(HttpUrl base) throws E {
    HttpUrl url = base.newBuilder().build();
    System.getenv("KEY");
    return client.newCall(url).execute().body().string();
  }
}
"""
CALLS = {
    "app.py": (
        PYTHON,
        {
            "lancedb.connect",
            "lancedb.connect().open_table",
            "lancedb.connect().open_table().to_list",
            "lancedb.connect().create_table",
            "lancedb.table.Table().add",
            "?.unknown",
        },
    ),
    "pay.ts": (
        TYPESCRIPT,
        {
            "stripe.default",
            "stripe.default().refunds.create",
            "jose.SignJWT",
            "jose.SignJWT().setIssuer",
            "jose.SignJWT().setIssuer().sign",
            "@clerk/nextjs/server.auth",
        },
    ),
    "layout.tsx": (TSX, {"@clerk/nextjs.ClerkProvider", "@clerk/nextjs.UserButton"}),
    "notes.go": (
        GO,
        {
            "go.etcd.io/bbolt.Open",
            "go.etcd.io/bbolt.Options",
            "go.etcd.io/bbolt.Open().Update",
            "go.etcd.io/bbolt.Tx().Bucket",
            "go.etcd.io/bbolt.Tx().Bucket().Put",
            "github.com/golang-jwt/jwt/v5.NewWithClaims",
        },
    ),
    "lib.rs": (
        RUST,
        {
            "redb.Database.create",
            "redb.Database.create().begin_write",
            "redb.Database.create().begin_write().open_table",
            "redb.Database.create().begin_write().open_table().insert",
            "redb.TableDefinition.new",
        },
    ),
    "C.java": (
        JAVA,
        {
            "okhttp3.OkHttpClient.Builder",
            "okhttp3.OkHttpClient.Builder().build",
            "okhttp3.HttpUrl().newBuilder",
            "okhttp3.HttpUrl().newBuilder().build",
        },
    ),
}


@pytest.mark.parametrize("path", CALLS)
def test_calls_are_known_by_what_they_call(path: str) -> None:
    text, expected = CALLS[path]
    found = {str(call) for call in CodeFacts({path: text}).calls}
    assert expected <= found


@pytest.mark.parametrize("path", ["pay.ts", "layout.tsx", "notes.go", "lib.rs", "C.java"])
def test_environment_variables_are_read_by_name(path: str) -> None:
    assert variables_of(CodeFacts({path: CALLS[path][0]})) == {"KEY"}


@pytest.mark.parametrize(
    "text",
    [
        "import os\nx = os.environ['KEY']\n",
        "import os\nx = os.environ.get('KEY', '')\n",
        "import os\nx = os.getenv('KEY')\n",
    ],
)
def test_pythons_three_ways_to_the_environment(text: str) -> None:
    assert variables_of(CodeFacts({"a.py": text, ".env.example": "OTHER=1\n"})) == {"KEY", "OTHER"}


def test_options_and_elements_around_others() -> None:
    calls = {str(c): c for c in CodeFacts({p: t for p, (t, _) in CALLS.items()}).calls}
    assert calls["stripe.default"].keys == {"apiVersion", "maxNetworkRetries"}
    assert calls["go.etcd.io/bbolt.Options"].keys == {"Timeout"}
    assert calls["lancedb.connect().create_table"].keys == {"exist_ok"}
    assert calls["@clerk/nextjs.ClerkProvider"].keys == {"publishableKey"}
    assert calls["@clerk/nextjs.ClerkProvider"].wraps
    assert not calls["@clerk/nextjs.UserButton"].wraps
    assert calls["stripe.default"].scope == "module"


@pytest.mark.parametrize(
    "files",
    [
        {"db.py": "import lancedb\ndb = lancedb.connect('x')\n",
         "app.py": "from expected.db import db\nrows = db.open_table('t')\n"},
        {"db.ts": "import lancedb from 'lancedb'\nexport const db = lancedb.connect('x')\n",
         "app.ts": "import { db } from './db'\ndb.open_table('t')\n"},
        {"db.py": "import lancedb\ndef get():\n    return lancedb.connect('x')\n",
         "app.py": "from .db import get\nget().open_table('t')\n"},
    ],
)  # fmt: skip
def test_names_are_followed_into_other_files(files: dict[str, str]) -> None:
    assert any(call.name == "open_table" and call.path[0].startswith("lancedb")
               for call in CodeFacts(files).calls)  # fmt: skip


def test_what_does_not_parse_is_named_and_the_rest_is_read() -> None:
    facts = CodeFacts({"a.py": "import lancedb\nlancedb.connect('x')\ndef broken(:\n", "b.py": ""})
    assert [str(place) for place in facts.broken] == ["a.py:3"]
    assert [str(call) for call in facts.calls] == ["lancedb.connect"]


@pytest.mark.parametrize(
    "text", ["", "\0", "def f(:\n" * 500, "f(" * 3000, "a" * 100_000, "x = [" * 2000, "\ud83d"]
)
@pytest.mark.parametrize("name", ["a.py", "a.tsx", "a.go", "a.rs", "a.java"])
def test_hostile_code_is_read_without_a_crash(name: str, text: str) -> None:
    facts = CodeFacts({name: text})
    assert isinstance(facts.calls, list)
    assert isinstance(facts.imports, list)
    assert isinstance(facts.environment, list)


POM = "<p><dependency><artifactId>lancedb</artifactId></dependency></p>"
PACKAGE = '{"dependencies": {"lancedb": "^1"}, "devDependencies": {"pyarrow": "*"}}'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "# packages\nlancedb==0.33.0\n-r other.txt\nPyArrow>=1 ; x\n!!\n"),
        ("pyproject.toml", "[project]\ndependencies = ['lancedb>=1', 'pyarrow']\n"),
        ("package.json", PACKAGE),
        ("Cargo.toml", "[dependencies]\nlancedb = '1'\n[dev-dependencies]\npyarrow = '1'\n"),
        ("pom.xml", POM),
    ],
)
def test_manifests_name_their_packages(name: str, text: str) -> None:
    found = dependencies_of({f"sub/{name}": text})
    assert {"lancedb"} <= found <= {"lancedb", "pyarrow"}


@pytest.mark.parametrize("name", ["pyproject.toml", "package.json", "Cargo.toml", "pom.xml"])
@pytest.mark.parametrize("text", ["", "{", "[", "<a", "[1]", "null", "[" * 100_000, "<!DOCTYPE a>"])
def test_a_broken_manifest_names_nothing(name: str, text: str) -> None:
    assert dependencies_of({name: text}) == set()
