import { assert, describe, it } from "@effect/vitest"
import { type Configuration, fields, fromGit, plainFields, type Variant } from "@slipway/domain/deploy/apps"
import { joinPaths, type Source, sourceOf } from "@slipway/domain/deploy/runtime"

const sourceFor = (variant: Variant, facts: Partial<Configuration>): Source =>
  sourceOf({
    variant,
    configuration: {
      ...(Object.fromEntries(plainFields.map((name) => [name, fields[name].unset])) as Configuration),
      ...facts
    }
  })

const repository = { git_repository: "https://forge.example/owner/repo.git", git_branch: "main" } as const

const recipeFor = (facts: Partial<Configuration>) => {
  const source = sourceFor("public", { ...repository, ...facts })
  return source._tag === "Repository" ? source.recipe : assert.fail("it has no repository")
}

describe("sourceOf", () => {
  it("names an image by its tag or its digest", () => {
    const reference = (name: string, tag: string | null) => {
      const source = sourceFor("dockerimage", {
        docker_registry_image_name: name,
        docker_registry_image_tag: tag ?? ""
      })
      return source._tag === "Image" ? source.reference : assert.fail("it has no image")
    }
    const digest = `sha256:${"0".repeat(64)}`
    assert.strictEqual(reference("nginx", "1"), "nginx:1")
    assert.strictEqual(reference("nginx", null), "nginx")
    assert.strictEqual(reference("registry.example:5000/nginx:1", ""), "registry.example:5000/nginx:1")
    assert.strictEqual(reference("registry.example:5000/nginx:1", "2"), "registry.example:5000/nginx:2")
    assert.strictEqual(reference("nginx", digest), `nginx@${digest}`)
    assert.strictEqual(reference(`nginx@${digest}`, "1"), `nginx@${digest}`)
  })

  it("reads the text of a Dockerfile, plain or as base64", () => {
    const wanted = { _tag: "Dockerfile", text: "FROM scratch" } as const
    assert.deepStrictEqual(sourceFor("dockerfile", { dockerfile: "FROM scratch" }), wanted)
    assert.deepStrictEqual(sourceFor("dockerfile", { dockerfile: "RlJPTSBzY3JhdGNo" }), wanted)
  })

  it("reads the repository and the branch of each variant", () => {
    for (const variant of fromGit) {
      const source = sourceFor(variant, { ...repository, build_pack: "dockerfile" })
      assert.deepStrictEqual(source._tag === "Repository" ? source.wanted : undefined, {
        repository: repository.git_repository,
        branch: "main",
        submodules: true,
        lfs: true
      })
    }
  })

  it("includes submodules and LFS files when the application enables them", () => {
    for (const wanted of [true, false]) {
      const settings = { is_git_submodules_enabled: wanted, is_git_lfs_enabled: !wanted }
      const source = sourceFor("public", { ...repository, build_pack: "dockerfile", ...settings })
      assert.deepInclude(source._tag === "Repository" ? source.wanted : {}, { submodules: wanted, lfs: !wanted })
    }
  })

  it("finds the Dockerfile below the base directory, or uses the given text", () => {
    const pack = { build_pack: "dockerfile" } as const
    assert.deepStrictEqual(recipeFor(pack), { _tag: "Dockerfile", folder: "", path: "Dockerfile", text: null })
    assert.deepStrictEqual(
      recipeFor({ ...pack, base_directory: "/apps/web/", dockerfile_location: "/ci/Dockerfile" }),
      {
        _tag: "Dockerfile",
        folder: "apps/web",
        path: "ci/Dockerfile",
        text: null
      }
    )
    assert.propertyVal(recipeFor({ ...pack, dockerfile: "FROM scratch" }), "text", "FROM scratch")
  })

  it("serves the publish directory of a static site at its port", () => {
    const site = { image: "nginx:alpine", port: 80, isSinglePage: false }
    assert.deepStrictEqual(recipeFor({ build_pack: "static" }), { _tag: "Static", folder: "", site })
    const built = recipeFor({
      build_pack: "static",
      base_directory: "/site",
      publish_directory: "./public",
      ports_exposes: "8080,9090",
      is_spa: true
    })
    assert.deepStrictEqual(built, {
      _tag: "Static",
      folder: "site/public",
      site: { ...site, port: 8080, isSinglePage: true }
    })
  })

  it("finds compose files below the base directory", () => {
    assert.deepStrictEqual(recipeFor({ build_pack: "dockercompose", base_directory: "/apps" }), {
      _tag: "Compose",
      folder: "apps",
      file: "apps/docker-compose.yaml",
      buildCommand: "",
      startCommand: ""
    })
  })

  it("passes commands to a buildpack program, and its output to a web server for static sites", () => {
    const recipe = recipeFor({ build_pack: "packer_a", build_command: "make" })
    assert.deepStrictEqual(recipe, {
      _tag: "Packer",
      packer: "packer_a",
      folder: "",
      commands: { install: "", build: "make", start: "" },
      site: null
    })
    const site = recipeFor({ build_pack: "packer_b", is_static: true, publish_directory: "/dist" })
    assert.deepStrictEqual(site._tag === "Packer" ? site.site : undefined, {
      image: "nginx:alpine",
      port: 80,
      isSinglePage: false,
      publish: "dist"
    })
  })

  it("removes trailing slashes from paths", () => {
    assert.strictEqual(joinPaths("//a///b/", "/./c"), "a/b/c")
  })
})
