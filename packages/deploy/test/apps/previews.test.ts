import { assert, describe, it } from "@effect/vitest"
import { previewSettings } from "@slipway/deploy/apps"
import { type Configuration, type FieldName, fields, plainFields, schemaFor } from "@slipway/domain/deploy/apps"
import { Schema } from "effect"

const configurationOf = (settings: Partial<Configuration>): Configuration =>
  ({ ...Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])), ...settings }) as Configuration

const uuid = "x".repeat(24) as Parameters<typeof previewSettings>[1]["uuid"]
const pull = { uuid, pullRequestId: 12, branch: "feature/x" }

describe("the settings of a preview", () => {
  it("copy those of its application, except server access and unique values (invariant I21)", () => {
    const configuration = configurationOf({
      name: "shop",
      git_branch: "main",
      git_commit_sha: "0a1b2c3",
      domains: "https://shop.example,http://www.shop.example:8080/api",
      redirect: "www",
      ports_mappings: "8080:80",
      connect_to_docker_network: true,
      custom_labels: "a=b",
      custom_docker_run_options: "--privileged",
      is_preview_deployments_enabled: true,
      is_auto_deploy_enabled: true,
      limits_memory: "512m",
      docker_compose_domains: [{ name: "web", domain: "https://web.example" }]
    })
    const settings = previewSettings({ configuration, generatedDomain: null }, pull)
    assert.deepInclude(settings, {
      name: "shop-pr-12",
      git_branch: "feature/x",
      git_commit_sha: "HEAD",
      domains: "https://12.shop.example,http://12.www.shop.example:8080/api",
      docker_compose_domains: [{ name: "web", domain: "https://12.web.example" }],
      noindex_domains: ["https://12.shop.example,http://12.www.shop.example:8080/api", "https://12.web.example"],
      redirect: null,
      ports_mappings: "",
      connect_to_docker_network: false,
      custom_labels: "",
      custom_docker_run_options: "",
      is_preview_deployments_enabled: false,
      is_auto_deploy_enabled: false,
      limits_memory: "512m"
    })
    const plain = configurationOf({ git_branch: "main", custom_docker_run_options: "--init" })
    const numbered = previewSettings(
      { configuration: plain, generatedDomain: "http://a.10.0.0.7.sslip.io" },
      { ...pull, branch: null }
    )
    assert.deepInclude(numbered, {
      git_branch: "main",
      domains: "http://12.a.10.0.0.7.sslip.io",
      custom_docker_run_options: "--init",
      autogenerate_domain: false
    })
    assert.deepInclude(previewSettings({ configuration: plain, generatedDomain: null }, pull), {
      domains: "",
      noindex_domains: []
    })
    const long = configurationOf({ name: `${"a".repeat(229)}🚢s` })
    assert.strictEqual(previewSettings({ configuration: long, generatedDomain: null }, pull).name?.isWellFormed(), true)
    const random = configurationOf({
      domains: "http://a.example",
      preview_url_template: "{{random}}-{{pr_id}}.dev.example"
    })
    assert.strictEqual(
      previewSettings({ configuration: random, generatedDomain: null }, pull).domains,
      `http://${uuid}-12.dev.example`
    )
  })

  it("include one unique host for each pull request", () => {
    const accepts = Schema.is(schemaFor("public", "preview_url_template" satisfies FieldName))
    for (const template of [
      fields.preview_url_template.unset,
      "pr-{{pr_id}}.dev.example",
      "{{random}}.{{domain}}",
      null
    ]) {
      assert.isTrue(accepts(template), String(template))
    }
    for (const template of [
      "",
      "{{domain}}",
      "dev.example",
      "{{pr_id}}/{{domain}}",
      "{{pr_id}}:80",
      "a b{{pr_id}}",
      "{{pr_id}}@x",
      "{{ pr_id }}.a",
      "{{pr_id}},b.example",
      "{{pr_id}}",
      "{{pr_id}}.1",
      "10.0.0.{{pr_id}}",
      "0x{{pr_id}}"
    ]) {
      assert.isFalse(accepts(template), template)
    }
  })
})
