import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { blocksOf, runScript } from "@slipway/http/testing"
import { basic, forge, packageSite, run } from "./support/packageSite.ts"

afterEach(() => forge.end())

describe("the podman client", () => {
  it("signs in, pushes images and image indexes, and pulls those that it can read", async () => {
    const { base, directory, token } = await packageSite()
    const registry = base.replace("http://", "")
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: directory,
      TMPDIR: join(directory, "tmp"),
      XDG_RUNTIME_DIR: join(directory, "tmp"),
      REGISTRY_AUTH_FILE: join(directory, "auth.json"),
      CONTAINERS_REGISTRIES_CONF: join(directory, "registries.conf")
    }
    mkdirSync(env.TMPDIR)
    writeFileSync(env.REGISTRY_AUTH_FILE, "{}")
    writeFileSync(env.CONTAINERS_REGISTRIES_CONF, `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`)
    /** Runs podman on a separate image store, independent of the machine's settings. */
    const podman = async (images: string, ...args: ReadonlyArray<string>) => {
      const own = [
        "--storage-driver=vfs",
        "--root",
        join(directory, images),
        "--runroot",
        join(directory, `${images}-run`)
      ]
      return (await run("podman", [...own, ...args], { env })).stdout.trim()
    }
    const remote = (name: string) => `${registry}/acme/${name}`
    const files = join(directory, "files")
    mkdirSync(files)
    writeFileSync(join(files, "lamp"), "light\n".repeat(100_000))
    await run("tar", ["-C", files, "-cf", join(directory, "lamp.tar"), "lamp"])
    await podman("mine", "import", "--quiet", join(directory, "lamp.tar"), remote("tools/lamp:1.0"))

    await expect(podman("mine", "push", "--quiet", remote("tools/lamp:1.0"))).rejects.toThrow(/denied|unauthorized/)
    await podman("mine", "login", "--username", "ann", "--password", token, registry)
    await podman("mine", "push", "--quiet", remote("tools/lamp:1.0"))
    await podman("mine", "push", "--quiet", "--format", "v2s2", remote("tools/lamp:1.0"), remote("tools/lamp:docker"))
    await podman("mine", "tag", remote("tools/lamp:1.0"), remote("copy:1.0"))
    await podman("mine", "push", "--quiet", remote("copy:1.0"))
    await podman("mine", "manifest", "create", "list")
    await podman("mine", "manifest", "add", "list", `containers-storage:${remote("copy:1.0")}`)
    await podman("mine", "manifest", "push", "--all", "--quiet", "list", `docker://${remote("copy:all")}`)

    const listed = await fetch(`${base}/api/v1/packages/acme?type=container`, { headers: basic })
    const rows = (await listed.json()) as ReadonlyArray<{ readonly name: string; readonly version: string }>
    expect(rows.map(({ name, version }) => `${name} ${version}`)).toEqual([
      "copy all",
      "copy 1.0",
      "tools/lamp docker",
      "tools/lamp 1.0"
    ])
    for (const name of ["tools/lamp:1.0", "tools/lamp:docker", "copy:all"]) {
      await podman("theirs", "pull", "--quiet", remote(name))
    }
    const idOf = (images: string, name: string) =>
      podman(images, "image", "inspect", "--format", "{{.Id}}", remote(name))
    expect(await idOf("theirs", "tools/lamp:1.0")).toBe(await idOf("mine", "tools/lamp:1.0"))

    // An anonymous caller pulls nothing of a hidden organization.
    await podman("theirs", "logout", registry)
    await expect(podman("theirs", "pull", "--quiet", remote("copy:1.0"))).rejects.toThrow(/denied|unauthorized/)
  })

  it("runs the commands of the guides releases-and-packages.md and container-engines.md", async () => {
    const { base, directory, token } = await packageSite()
    const registry = base.replace("http://", "")
    writeFileSync(join(directory, "registries.conf"), `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`)
    mkdirSync(join(directory, "tmp"))
    const commandsOf = (name: string) => {
      const page = readFileSync(join(import.meta.dirname, "../../../docs/guides", name), "utf8")
      return blocksOf(page).find(({ attributes }) => attributes.needs === "podman-client")?.text ?? ""
    }
    writeFileSync(join(directory, "lamp"), "light\n")
    const script = `podman() {
  command podman --storage-driver=vfs --root ${directory}/images --runroot ${directory}/run "$@"
}
tar -cf lamp.tar lamp
podman import --quiet lamp.tar app:1.0
${commandsOf("releases-and-packages.md").replaceAll("forge.example", registry)}
printf %s "$token" > password.txt
${commandsOf("container-engines.md").replaceAll("ghcr.io", registry)}`
    await runScript(script, directory, {
      token,
      HOME: directory,
      TMPDIR: join(directory, "tmp"),
      XDG_RUNTIME_DIR: join(directory, "tmp"),
      REGISTRY_AUTH_FILE: join(directory, "auth.json"),
      CONTAINERS_REGISTRIES_CONF: join(directory, "registries.conf")
    })
    const listed = await fetch(`${base}/api/v1/packages/acme?type=container`, { headers: basic })
    const rows = (await listed.json()) as ReadonlyArray<{ readonly name: string; readonly version: string }>
    expect(rows.map(({ name, version }) => `${name} ${version}`)).toEqual(["tools/app 1.0"])
    const auth = Buffer.from(`ann:${token}`).toString("base64")
    expect(JSON.parse(readFileSync(join(directory, "registries.json"), "utf8"))).toEqual({
      auths: { [registry]: { auth } }
    })
  })
})
