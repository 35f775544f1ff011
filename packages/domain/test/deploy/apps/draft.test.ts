import { assert, describe, it } from "@effect/vitest"
import { newConfiguration, readCreation, readUpdate } from "@slipway/domain/deploy/apps"
import { ApplicationUuid } from "@slipway/domain/deploy/base"

const problemsOf = (body: unknown) => readUpdate("public", body).problems

describe("a hostile body (invariant I25)", () => {
  // Reporting every value made the refusal of 400 KB take five seconds.
  it("is rejected quickly if a list, a list element or the top level has too many values", () => {
    const many = Array.from({ length: 200_000 }, () => 1)
    for (const body of [{ docker_compose_domains: many }, { docker_compose_domains: [{ ...many }] }, { ...many }]) {
      assert.deepStrictEqual(problemsOf(body), { body: ["Must hold at most 2000 values."] })
    }
  })

  // A pattern with white space in two places took minutes to reject this text.
  it("is rejected quickly if its Dockerfile is almost valid base64", () => {
    const dockerfile = `${"A".repeat(500_000)}${" ".repeat(400_000)}!`
    assert.deepStrictEqual(Object.keys(problemsOf({ dockerfile })), ["dockerfile"])
  })

  it("is shortened where the error message quotes it", () => {
    const [sentence = ""] = problemsOf({ domains: `ftp://${"a".repeat(19_000)}` }).domains ?? []
    assert.match(sentence, /^`ftp:\/\/a{94}…` must start with http:\/\/ or https:\/\/\.$/)
  })
})

describe("a configuration field", () => {
  it("docker_compose_domains rejects a domain that two services share", () => {
    const problems = (...domains: ReadonlyArray<readonly [name: string, domain: string]>) =>
      problemsOf({ docker_compose_domains: domains.map(([name, domain]) => ({ name, domain })) })
    assert.deepStrictEqual(problems(["web", "https://a.example,https://b.example"], ["api", "http://B.example.:80/"]), {
      docker_compose_domains: [
        "The services `web` and `api` cannot share the domain `http://B.example.:80/`: use different domains."
      ]
    })
    assert.deepStrictEqual(problems(["web", "https://a.example"], ["api", "https://a.example/api"]), {})
    assert.deepStrictEqual(problems(["web", "https://a.example"], ["web", "http://a.example"]), {})
  })

  it("docker_registry_image_name must not be empty for an application from an image", () => {
    const body = { docker_registry_image_name: "" }
    const problems = { docker_registry_image_name: ["Must not be empty."] }
    assert.deepStrictEqual(readUpdate("dockerimage", body).problems, problems)
    assert.deepInclude(readCreation("dockerimage", body).problems, problems)
    assert.deepStrictEqual(readUpdate("dockerfile", body).problems, {})
  })

  it("docker_registry_image_tag is `latest` by default, unless the name has a tag or a digest", () => {
    const tagOf = (docker_registry_image_name: string) =>
      newConfiguration("dockerimage", ApplicationUuid.make("a".repeat(24)), { docker_registry_image_name })
        .docker_registry_image_tag
    assert.strictEqual(tagOf("registry.example:5000/nginx"), "latest")
    assert.strictEqual(tagOf("registry.example:5000/nginx:1.27"), "")
    assert.strictEqual(tagOf(`nginx@sha256:${"0".repeat(64)}`), "")
  })

  it("docker_registry_image_name rejects images that are built for applications (invariant I22)", () => {
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
