import { assert, describe, it } from "@effect/vitest"
import { readComposeCommand } from "@slipway/domain/deploy/containers"
import { Result } from "effect"

const none = { files: [], profiles: [], services: [], noCache: false, pull: false }
const read = (line: string) => Result.getOrThrow(readComposeCommand(line))
const problems = (line: string) => {
  const found = readComposeCommand(line)
  return Result.isFailure(found) ? found.failure : []
}

describe("a compose command", () => {
  it("selects files, profiles and services", () => {
    assert.deepStrictEqual(read("docker compose -f a.yml --file=b/c.yml --profile x up -d web 'db'"), {
      ...none,
      files: ["a.yml", "b/c.yml"],
      profiles: ["x"],
      services: ["web", "db"]
    })
    assert.deepStrictEqual(read("docker-compose build --no-cache --pull web"), {
      ...none,
      services: ["web"],
      noCache: true,
      pull: true
    })
    assert.deepStrictEqual(read("docker compose --ansi never up --build --remove-orphans --wait --pull always"), {
      ...none,
      pull: true
    })
    assert.deepStrictEqual(read("docker compose up --pull missing"), none)
    assert.deepStrictEqual(read(" "), none)
  })

  it("is rejected with the names of unknown options", () => {
    assert.deepStrictEqual(problems("docker run x"), ["Must begin with `docker compose`."])
    assert.deepStrictEqual(problems("docker compose exec web sh"), ["`exec` must be `build` or `up`."])
    assert.deepStrictEqual(problems("docker compose -f a.yml"), ["Must contain `build` or `up`."])
    assert.deepStrictEqual(problems("docker compose -H tcp://x --env-file=.env up --scale web=3"), [
      "The option -H is not supported.",
      "`tcp://x` must be `build` or `up`."
    ])
    assert.deepStrictEqual(problems("docker compose up --scale web=3"), [
      "The option --scale is not supported.",
      "`web=3` is not a service."
    ])
    assert.deepStrictEqual(problems("docker compose build -f"), ["The option -f is not supported."])
    assert.deepStrictEqual(problems("docker compose -f"), [
      "The option -f needs a value.",
      "Must contain `build` or `up`."
    ])
    for (const command of ["__proto__", "toString", "constructor"]) {
      assert.deepStrictEqual(problems(`docker compose ${command}`), [`\`${command}\` must be \`build\` or \`up\`.`])
    }
  })

  it("is rejected if it selects files outside the repository (invariant I22)", () => {
    for (const path of ["../a.yml", "a/../../b.yml", "-", "", "a\\b"]) {
      assert.deepStrictEqual(problems(`docker compose -f '${path}' up`), [
        "The value of -f must be a path inside the repository, without `..`."
      ])
    }
  })

  it("is rejected if it would run another program or needs a shell (invariant I23)", () => {
    const hostile = {
      "docker compose up && curl x": ["`&&` needs a shell, and the command runs without one."],
      "docker compose up; id": ["`up;` must be `build` or `up`."],
      "docker compose up | tee log": ["`|` needs a shell, and the command runs without one."],
      "docker compose up $(id)": ["`$(id)` needs a shell, and the command runs without one."],
      "docker compose up `id`": ["``id`` needs a shell, and the command runs without one."],
      "docker compose up web > /etc/passwd": [
        "`>` needs a shell, and the command runs without one.",
        "`/etc/passwd` is not a service."
      ],
      "docker compose up web;reboot": ["`web;reboot` needs a shell, and the command runs without one."],
      "FOO=bar docker compose up": ["Must begin with `docker compose`."],
      "docker compose up 'web": ["The quote ' is not closed."],
      "docker compose --profile $(id) up": ["The value of --profile must be the name of a profile."]
    }
    for (const [line, expected] of Object.entries(hostile)) assert.deepStrictEqual(problems(line), expected, line)
  })

  it("is limited in its number of arguments (invariant I25)", () => {
    assert.deepStrictEqual(problems(`docker compose up ${"web ".repeat(10_000)}`), ["Must have at most 200 words."])
  })
})
