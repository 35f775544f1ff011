import { assert, describe, it } from "@effect/vitest"
import type { Configuration } from "@slipway/domain/deploy/apps"
import {
  checkManifest,
  describeProblems,
  type Manifest,
  type ManifestFacts,
  manifestJsonSchema,
  planManifest
} from "@slipway/domain/deploy/runtime"
import { Result } from "effect"

const lines = new Map([
  ["applications", 1],
  ["applications.web", 2],
  ["applications.web.ports", 3],
  ["applications.web.ports.0", 4],
  ["applications.web.variables", 5],
  ["applications.web.variables.DATABASE_URL", 6]
])

const texts = new Map<string, string>()

const problemsOf = (value: unknown) => {
  const checked = checkManifest({ value, lines, texts })
  return Result.isFailure(checked) ? checked.failure : []
}

describe("a manifest", () => {
  it("is accepted with all of its fields", () => {
    const manifest: Manifest = {
      applications: {
        web: {
          build_pack: "dockerfile",
          base_directory: "/web",
          dockerfile_location: "/Dockerfile",
          ports: [3_000],
          domains: ["https://site.example"],
          variables: { LOG_LEVEL: "info", WORKERS: 2, DATABASE_URL: { database: "db" } },
          secrets: ["SESSION_KEY"],
          health_check: { path: "/healthz", port: 3_000, status: 204 },
          previews: true
        },
        worker: { start_command: "node worker.js", health_check: false }
      },
      databases: { db: { type: "postgresql", image: "postgres:17-alpine" } },
      environments: {
        production: { branch: "main" },
        staging: { branch: "develop", applications: { web: { domains: ["https://staging.site.example"] } } }
      }
    }
    assert.deepStrictEqual(checkManifest({ value: manifest, lines, texts }), Result.succeed(manifest))
  })

  it("keeps numbers and booleans of variables as they are written, in environments too", () => {
    const value = {
      applications: { web: { ports: [80], variables: { VERSION: 1.1, MODE: 7, DEBUG: true, NAME: "x" } } },
      environments: { staging: { branch: "develop", applications: { web: { variables: { VERSION: 2 } } } } }
    }
    const written = new Map([
      ["applications.web.ports.0", "80"],
      ["applications.web.variables.VERSION", "1.10"],
      ["applications.web.variables.MODE", "007"],
      ["applications.web.variables.DEBUG", "True"],
      ["environments.staging.applications.web.variables.VERSION", "2.0"]
    ])
    assert.deepStrictEqual(
      checkManifest({ value, lines, texts: written }),
      Result.succeed<Manifest>({
        applications: {
          web: { ports: [80], variables: { VERSION: "1.10", MODE: "007", DEBUG: "True", NAME: "x" } }
        },
        environments: { staging: { branch: "develop", applications: { web: { variables: { VERSION: "2.0" } } } } }
      })
    )
  })

  it("is refused with the line, the field and the remedy of each problem", () => {
    const value = {
      applications: {
        web: { ports: ["3000"], domain: "https://site.example", variables: { DATABASE_URL: { database: "db" } } }
      }
    }
    assert.deepStrictEqual(problemsOf(value), [
      { line: 2, field: "applications.web.domain", problem: "This field is not allowed." },
      { line: 4, field: "applications.web.ports.0", problem: "Must be a number." }
    ])
    assert.strictEqual(
      describeProblems(problemsOf(value)),
      "slipway.yaml: line 2: applications.web.domain: This field is not allowed. (and 1 more)"
    )
  })

  it("is refused if it names a missing database, a secret twice, or one branch for two environments", () => {
    const missing = { applications: { web: { variables: { DATABASE_URL: { database: "db" } } } } }
    assert.deepStrictEqual(problemsOf(missing), [
      {
        line: 6,
        field: "applications.web.variables.DATABASE_URL.database",
        problem: "There is no database `db` in this file: add it to `databases`."
      }
    ])
    const twice = { applications: { web: { variables: { KEY: "x" }, secrets: ["KEY"] } } }
    assert.deepStrictEqual(problemsOf(twice), [
      { line: 5, field: "applications.web.variables.KEY", problem: "Must not be in `secrets` too: remove one of both." }
    ])
    const shared = {
      applications: { web: {} },
      environments: { production: { branch: "main" }, staging: { branch: "main", applications: { api: {} } } }
    }
    assert.deepStrictEqual(problemsOf(shared), [
      {
        line: 1,
        field: "environments.staging.branch",
        problem: "The environment `production` has the branch `main` too: use one branch for each."
      },
      {
        line: 1,
        field: "environments.staging.applications.api",
        problem: "There is no application `api`: add it to `applications`."
      }
    ])
  })

  it("cannot refer to shared variables, which belong to other resources", () => {
    const value = { applications: { web: { variables: { KEY: "{{team.KEY}}" } } } }
    assert.deepStrictEqual(
      problemsOf(value).map(({ problem }) => problem),
      ["Must not contain `{{`: name a secret in `secrets`, and set it by the API."]
    )
  })

  it("is refused if an application name is invalid in a host name", () => {
    assert.deepStrictEqual(problemsOf({ applications: { Web: {} } }), [
      {
        line: 1,
        field: "applications.Web",
        problem: "A name must be lower-case letters, digits and `-`, begin with a letter, at most 40 characters."
      }
    ])
  })

  it("has a JSON Schema that accepts no unknown field", () => {
    const { properties, additionalProperties, title } = manifestJsonSchema() as {
      readonly title: string
      readonly additionalProperties: boolean
      readonly properties: Readonly<Record<string, { readonly description?: string }>>
    }
    assert.strictEqual(title, "slipway.yaml")
    assert.strictEqual(additionalProperties, false)
    assert.deepStrictEqual(Object.keys(properties), ["applications", "databases", "environments"])
    assert.strictEqual(properties.applications?.description, "The applications by name.")
  })
})

const configuration = {
  name: "web",
  build_pack: "dockerfile",
  domains: "https://old.example",
  ports_exposes: "3000"
} as Configuration

const facts: ManifestFacts = {
  environment: "production",
  branch: "main",
  environments: ["production"],
  declaredEnvironments: [],
  applications: [{ name: "web", configuration, isDeclared: false }],
  isShared: false,
  databases: [{ name: "db", type: "postgresql", image: "postgres:17-alpine", address: "postgres://u:p@db:5432/x" }],
  deployed: "web",
  variables: {},
  prune: false,
  isSensitive: true
}

const nothing = { changes: [], problems: [] }

describe("the plan of a manifest", () => {
  it("is empty if the current state equals the declared one", () => {
    const manifest: Manifest = {
      applications: {
        web: { ports: [3_000], domains: ["https://old.example"], variables: { URL: { database: "db" }, PORT: 1 } }
      },
      databases: { db: { type: "postgresql" } },
      environments: { Production: { branch: "main" } }
    }
    const variables = {
      URL: { value: "postgres://u:p@db:5432/x", isDeclared: true },
      PORT: { value: "1", isDeclared: true },
      OTHER: { value: "set by a user", isDeclared: false },
      OLD: { value: "declared before", isDeclared: true }
    }
    assert.deepStrictEqual(planManifest(manifest, { ...facts, variables }), nothing)
  })

  it("changes the fields and variables that differ, and keeps those that the manifest does not name", () => {
    const manifest: Manifest = {
      applications: { web: { ports: [3_000], domains: ["https://new.example"], variables: { LOG: "info" } } }
    }
    assert.deepStrictEqual(planManifest(manifest, facts), {
      changes: [
        {
          _tag: "ChangeApplication",
          environment: "production",
          name: "web",
          fields: [{ field: "domains", before: "https://old.example", after: "https://new.example" }]
        },
        {
          _tag: "SetVariables",
          environment: "production",
          application: "web",
          variables: [{ key: "LOG", value: { _tag: "Text", text: "info" } }]
        }
      ],
      problems: []
    })
  })

  it("creates missing databases before missing applications", () => {
    const manifest: Manifest = {
      applications: { web: {}, worker: { start_command: "work", variables: { CACHE: { database: "cache" } } } },
      databases: { db: { type: "postgresql" }, cache: { type: "redis" } }
    }
    assert.deepStrictEqual(planManifest(manifest, facts), {
      changes: [
        { _tag: "CreateDatabase", environment: "production", name: "cache", type: "redis", image: null },
        {
          _tag: "CreateApplication",
          environment: "production",
          name: "worker",
          branch: "main",
          fields: { start_command: "work" },
          variables: [{ key: "CACHE", value: { _tag: "Database", name: "cache" } }]
        }
      ],
      problems: []
    })
  })

  it("changes only the deployed application, and leaves other applications to their own deployments", () => {
    const manifest: Manifest = { applications: { web: { ports: [1] }, api: { ports: [2] } } }
    const applications = [
      { name: "web", configuration, isDeclared: false },
      { name: "api", configuration: { ...configuration, name: "api" }, isDeclared: true }
    ]
    assert.deepStrictEqual(planManifest(manifest, { ...facts, applications, deployed: "api" }).changes, [
      {
        _tag: "ChangeApplication",
        environment: "production",
        name: "api",
        fields: [{ field: "ports_exposes", before: "3000", after: "2" }]
      }
    ])
  })

  it("renames the only application of the environment to the first name in the manifest", () => {
    const before = { ...configuration, name: "site-main-x" }
    const present = {
      ...facts,
      applications: [{ name: "site-main-x", configuration: before, isDeclared: false }],
      deployed: "site-main-x"
    }
    const manifest: Manifest = { applications: { web: {}, api: {} } }
    assert.deepStrictEqual(planManifest(manifest, present).changes, [
      {
        _tag: "CreateApplication",
        environment: "production",
        name: "api",
        branch: "main",
        fields: {},
        variables: []
      },
      {
        _tag: "ChangeApplication",
        environment: "production",
        name: "site-main-x",
        fields: [{ field: "name", before: "site-main-x", after: "web" }]
      }
    ])
  })

  it("creates a missing environment with its own settings, and leaves existing environments to their branches", () => {
    const manifest: Manifest = {
      applications: { web: { ports: [3_000], variables: { LOG: "info" } } },
      databases: { db: { type: "postgresql" } },
      environments: {
        production: { branch: "main" },
        staging: { branch: "develop", applications: { web: { variables: { MODE: "test" } } } }
      }
    }
    const variables = { LOG: { value: "info", isDeclared: true } }
    assert.deepStrictEqual(planManifest(manifest, { ...facts, variables }).changes, [
      { _tag: "CreateEnvironment", environment: "staging" },
      { _tag: "CreateDatabase", environment: "staging", name: "db", type: "postgresql", image: null },
      {
        _tag: "CreateApplication",
        environment: "staging",
        name: "web",
        branch: "develop",
        fields: { ports_exposes: "3000" },
        variables: [
          { key: "LOG", value: { _tag: "Text", text: "info" } },
          { key: "MODE", value: { _tag: "Text", text: "test" } }
        ]
      }
    ])
    const environments = ["production", "STAGING"]
    assert.deepStrictEqual(planManifest(manifest, { ...facts, variables, environments }), nothing)
  })

  it("completes an environment that it created in part, until its branch has an application", () => {
    const manifest: Manifest = {
      applications: { web: {} },
      databases: { db: { type: "postgresql" }, cache: { type: "redis" } },
      environments: { production: { branch: "main" }, staging: { branch: "develop" } }
    }
    const both = { ...facts, environments: ["production", "Staging"] }
    const databases = [...facts.databases, { name: "cache", type: "redis", image: "redis:7", address: "redis://c" }]
    const partial = { name: "Staging", branches: ["other"], databases: ["db"] }
    const planned = (branches: ReadonlyArray<string>) =>
      planManifest(manifest, {
        ...both,
        databases: databases as ManifestFacts["databases"],
        declaredEnvironments: [{ ...partial, branches }]
      }).changes
    assert.deepStrictEqual(planned(["other"]), [
      { _tag: "CreateDatabase", environment: "Staging", name: "cache", type: "redis", image: null },
      { _tag: "CreateApplication", environment: "Staging", name: "web", branch: "develop", fields: {}, variables: [] }
    ])
    assert.deepStrictEqual(planned(["other", "develop"]), [])
  })

  it("reports a wrong branch, a changed database type and a secret without a value", () => {
    const manifest: Manifest = {
      applications: { web: { secrets: ["SET", "UNSET"] } },
      databases: { db: { type: "mysql" } },
      environments: { production: { branch: "release" } }
    }
    const variables = { SET: { value: "x", isDeclared: false } }
    assert.deepStrictEqual(planManifest(manifest, { ...facts, variables }).problems, [
      {
        field: "environments.production.branch",
        problem:
          "The environment `production` is deployed from `main`: set this branch, or change `git_branch` of the application."
      },
      {
        field: "databases.db.type",
        problem: "The type of the database is `postgresql` and cannot change: declare another database."
      },
      {
        field: "applications.web.secrets.1",
        problem: "The secret `UNSET` has no value: set it with POST /applications/{uuid}/envs of the application."
      }
    ])
  })

  it("reports that the branch is deployed to an environment with another name", () => {
    const manifest: Manifest = { applications: { web: {} }, environments: { live: { branch: "main" } } }
    assert.deepStrictEqual(planManifest(manifest, facts).problems, [
      {
        field: "environments.live",
        problem: "The branch `main` is deployed to the environment `production`: name it here, or move the application."
      }
    ])
  })

  it("deletes applications, databases and variables only with `prune`, and only if a manifest created them", () => {
    const manifest: Manifest = { applications: { web: { secrets: ["KEY"] } } }
    const applications = [
      { name: "web", configuration, isDeclared: true },
      { name: "old", configuration: { ...configuration, name: "old" }, isDeclared: true },
      { name: "manual", configuration: { ...configuration, name: "manual" }, isDeclared: false }
    ]
    const variables = {
      KEY: { value: "k", isDeclared: false },
      OLD: { value: "o", isDeclared: true },
      MANUAL: { value: "m", isDeclared: false }
    }
    const present = { ...facts, applications, variables }
    assert.deepStrictEqual(planManifest(manifest, present), nothing)
    assert.deepStrictEqual(planManifest(manifest, { ...present, prune: true }), {
      changes: [
        { _tag: "DeleteVariable", environment: "production", application: "web", key: "OLD" },
        { _tag: "DeleteApplication", environment: "production", name: "old" },
        { _tag: "DeleteDatabase", environment: "production", name: "db" }
      ],
      problems: []
    })
  })

  it("refuses to delete databases from an environment that other branches use", () => {
    const manifest: Manifest = { applications: { web: {} } }
    assert.deepStrictEqual(planManifest(manifest, { ...facts, isShared: true }), nothing)
    const { problems } = planManifest(manifest, { ...facts, isShared: true, prune: true })
    assert.deepStrictEqual(problems, [
      {
        field: "databases",
        problem:
          "The environment `production` has applications of other branches, which may use databases that this file does not name: name these databases, or delete them with DELETE /databases/{uuid}."
      }
    ])
    const named: Manifest = { ...manifest, databases: { db: { type: "postgresql" } } }
    assert.deepStrictEqual(planManifest(named, { ...facts, isShared: true, prune: true }), nothing)
  })
})
