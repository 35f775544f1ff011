import { assert, describe, it } from "@effect/vitest"
import { readUpdate } from "@slipway/domain/deploy/apps"

const problemsOf = (body: unknown) => readUpdate("public", body).problems

describe("a body that was made to be hard to refuse (invariant I25)", () => {
  // Each of its values would be told of: refusing 400 KB took five seconds.
  it("may hold very many values, in a list, in an element or at the top", () => {
    const many = Array.from({ length: 200_000 }, () => 1)
    for (const body of [{ docker_compose_domains: many }, { docker_compose_domains: [{ ...many }] }, { ...many }]) {
      assert.deepStrictEqual(problemsOf(body), { body: ["Must hold at most 2000 values."] })
    }
  })

  // A pattern that allowed white space in two places took minutes to find that this is no base64.
  it("may be nearly base64", () => {
    const dockerfile = `${"A".repeat(500_000)}${" ".repeat(400_000)}!`
    assert.deepStrictEqual(Object.keys(problemsOf({ dockerfile })), ["dockerfile"])
  })

  it("is not quoted at length", () => {
    const [sentence = ""] = problemsOf({ domains: `ftp://${"a".repeat(19_000)}` }).domains ?? []
    assert.match(sentence, /^`ftp:\/\/a{94}…` must start with http:\/\/ or https:\/\/\.$/)
  })
})

describe("a configuration field", () => {
  it("docker_compose_domains gives two services no domain in common", () => {
    const problems = (...domains: ReadonlyArray<readonly [name: string, domain: string]>) =>
      problemsOf({ docker_compose_domains: domains.map(([name, domain]) => ({ name, domain })) })
    assert.deepStrictEqual(problems(["web", "https://a.example,https://b.example"], ["api", "http://B.example.:80/"]), {
      docker_compose_domains: [
        "The services `web` and `api` cannot share the domain `http://B.example.:80/`: give each its own."
      ]
    })
    assert.deepStrictEqual(problems(["web", "https://a.example"], ["api", "https://a.example/api"]), {})
    assert.deepStrictEqual(problems(["web", "https://a.example"], ["web", "http://a.example"]), {})
  })

  it("docker_registry_image_name names no image that is built for an application (invariant I22)", () => {
    for (const name of ["slipway/abc:def", "docker.io/slipway/abc", "localhost/slipway/abc", "0123456789ab"]) {
      assert.deepStrictEqual(readUpdate("dockerimage", { docker_registry_image_name: name }).problems, {
        docker_registry_image_name: ["Must be an image of a registry."]
      })
    }
    assert.deepStrictEqual(
      readUpdate("dockerimage", { docker_registry_image_name: "r.example/slipway/a" }).problems,
      {}
    )
  })
})
