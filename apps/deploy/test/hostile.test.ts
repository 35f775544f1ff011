import { existsSync } from "node:fs"
import { join } from "node:path"
import { fields, plainFields, secretFields } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { isThorough } from "../../../scripts/vitest/runs.ts"
import {
  create,
  deploy,
  endOf,
  freePort,
  json,
  linesOf,
  logOf,
  onPodman,
  type Shown,
  visit,
  type World
} from "./containers.ts"
import { eventually, newDirectory, placesAt, send } from "./support.ts"

const { containersOf, pageOf, podman, world } = onPodman("file")

/** Texts that create a file when a shell, or a program that parses options, evaluates them. */
const hostileTexts = (marker: string) => ({
  substitution: `$(touch ${marker})`,
  backticks: `\`touch ${marker}\``,
  semicolon: `; touch ${marker} #`,
  quotes: `'; touch ${marker}; '"; touch ${marker}; "`,
  pipe: `| touch ${marker}`,
  newline: `one\ntouch ${marker}\n`,
  option: `--upload-pack=touch ${marker}`,
  removal: `; rm -rf ${marker}/..`
})

/** The fields that reach programs, engines and the proxy. All texts are invalid in them. */
const handedOn = ["git_repository", "git_branch", "git_commit_sha", "docker_registry_image_name", "domains"]

/** The fields that are tested with all texts. */
const wholly: ReadonlyArray<string> = [...handedOn, "name", "build_command", "custom_docker_run_options"]

const newMarker = () => join(newDirectory(), "ran")

interface Inspected {
  readonly Config: { readonly Env: ReadonlyArray<string>; readonly Labels: Readonly<Record<string, string>> }
  readonly Mounts: ReadonlyArray<{ readonly Name?: string; readonly Source: string; readonly Destination: string }>
}

const inspected = async (name: string): Promise<Inspected> => {
  const [found] = JSON.parse(await Effect.runPromise(podman().podman("inspect", name))) as ReadonlyArray<Inspected>
  return found ?? expect.fail("there is no such container")
}

interface Refusal {
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
}

let shared: Promise<World>
beforeAll(() => {
  shared = world()
})

describe.concurrent("hostile input", () => {
  it("in any field is rejected with 400 or stored verbatim, and never executed (I23)", async () => {
    const { base, directory } = await shared
    const marker = newMarker()
    const least = {
      ...(await placesAt(base)),
      git_repository: "https://forge.example/owner/repository",
      git_branch: "main",
      build_pack: "dockerfile",
      ports_exposes: "80"
    }
    const accepted = new Set<string>()
    const texts = Object.entries(hostileTexts(marker))
    const names = [...plainFields, ...secretFields].filter((name) => fields[name].variants.includes("public"))
    for (const [place, field] of names.entries()) {
      // Most fields are tested with two of the texts, which change from field to field.
      const some = texts.filter((_, kind) => (kind + place) % 4 === 0)
      for (const [kind, text] of isThorough || wholly.includes(field) ? texts : some) {
        const answer = await send("POST", `${base}/api/v1/applications/public`, { ...least, [field]: text })
        const body: unknown = await answer.json()
        if (answer.status === 201) {
          const { uuid } = body as { readonly uuid: string }
          const shown = (await (await send("GET", `${base}/api/v1/applications/${uuid}`)).json()) as object
          expect(shown).toMatchObject({ [field]: text })
          accepted.add(`${field} ${kind}`)
        } else {
          expect(answer.status, `${field} ${kind} ${JSON.stringify(body)}`).toBe(400)
          expect(Object.keys((body as Refusal).errors)).toEqual([field])
        }
      }
    }
    for (const field of handedOn) {
      expect([...accepted].filter((each) => each.startsWith(`${field} `))).toEqual([])
    }
    expect([...accepted]).toEqual(expect.arrayContaining(["name option", "build_command substitution"]))
    expect([existsSync(marker), existsSync(directory)]).toEqual([false, true])
  }, 240_000)

  it("in a container's configuration reaches the container verbatim, and is run by no shell (I23)", async () => {
    const { base, port } = await shared
    const marker = newMarker()
    const texts = hostileTexts(marker)
    const spoken = Object.values(texts).filter((text) => !text.includes("'") && !text.includes("\n"))
    const uuid = await create(base, "dockerfile", {
      name: texts.quotes,
      description: texts.newline,
      dockerfile: pageOf("unharmed"),
      domains: "http://hostile.test",
      health_check_path: "/index.html?$(touch%20x)",
      custom_labels: spoken.map((text, index) => `hostile.${index}=${text}`).join("\n"),
      custom_docker_run_options: "--stop-timeout 0 --workdir '/$(touch x)' --hostname hostile",
      post_deployment_command: `echo ${spoken.map((text) => `'${text}'`).join(" ")}`
    })
    const path = `${base}/api/v1/applications/${uuid}`
    for (const [kind, value] of Object.entries(texts)) {
      expect((await send("POST", `${path}/envs`, { key: `HOSTILE_${kind.toUpperCase()}`, value })).status).toBe(201)
      expect((await send("POST", `${path}/envs`, { key: value, value })).status, kind).toBe(400)
    }
    const deployment = await deploy(base, uuid)
    expect((await endOf(base, deployment)).status, await logOf(base, deployment)).toBe("finished")
    expect(await visit(port, "hostile.test")).toEqual({ status: 200, body: "unharmed" })

    const { Config } = await inspected(`${uuid}-${deployment}`)
    expect(Config.Env).toEqual(
      expect.arrayContaining(Object.entries(texts).map(([kind, text]) => `HOSTILE_${kind.toUpperCase()}=${text}`))
    )
    expect(Config).toMatchObject({ WorkingDir: "/$(touch x)" })
    for (const [index, text] of spoken.entries()) expect(Config.Labels[`hostile.${index}`]).toBe(text)
    expect(await linesOf(base, deployment)).toContain(spoken.join(" "))
    expect(existsSync(marker)).toBe(false)
  }, 120_000)

  it("gives no access to another application's containers, volumes, labels or namespaces (I22)", async () => {
    const { base, directory, port } = await shared
    const victim = await create(base, "dockerfile", {
      dockerfile: pageOf("victim"),
      domains: "http://victim.test",
      custom_docker_run_options: "--stop-timeout 0 -v data:/data"
    })
    const first = await deploy(base, victim)
    expect((await endOf(base, first)).status, await logOf(base, first)).toBe("finished")
    const name = `${victim}-${first}`

    const refused = [
      { custom_labels: `slipway.application=${victim}` },
      { custom_labels: `Slipway.Managed=true` },
      ...[
        `--network container:${name}`,
        `--pid container:${name}`,
        `--ipc container:${name}`,
        `--volumes-from ${name}`,
        `--name ${name}`,
        `--label slipway.application=${victim}`,
        `--volume ${directory}:/host`,
        `--volume ../${victim}_data:/data`,
        "--volume /:/host",
        "--privileged",
        "--env-file /etc/passwd",
        "--cidfile /tmp/x"
      ].map((custom_docker_run_options) => ({ custom_docker_run_options }))
    ]
    const least = { ...(await placesAt(base)), ports_exposes: "8080", dockerfile: pageOf("thief") }
    for (const fact of refused) {
      const answer = await send("POST", `${base}/api/v1/applications/dockerfile`, { ...least, ...fact })
      expect(answer.status, JSON.stringify(fact)).toBe(400)
      expect(Object.keys(((await answer.json()) as Refusal).errors)).toEqual(Object.keys(fact))
    }

    // A name that looks like another application's volume is a separate volume.
    const thief = await create(base, "dockerfile", {
      dockerfile: pageOf("thief"),
      domains: "http://thief.test",
      custom_docker_run_options: `--stop-timeout 0 -v ${victim}_data:/stolen`,
      pre_deployment_command_container: name,
      post_deployment_command_container: name,
      post_deployment_command: "hostname"
    })
    const second = await deploy(base, thief)
    await endOf(base, second)
    const { Mounts } = await inspected(`${thief}-${second}`)
    expect(Mounts.map((mount) => mount.Name)).toEqual([`${thief}_${victim}_data`])

    const gone = await send("DELETE", `${base}/api/v1/applications/${thief}`)
    const deletion = `${base}${gone.headers.get("location")}`
    await eventually(async () => (await json<Shown>(send("GET", deletion))).status === "finished", 30_000)
    expect(await containersOf(victim)).toEqual([name])
    expect((await inspected(name)).Mounts.map((mount) => mount.Name)).toEqual([`${victim}_data`])
    expect(await visit(port, "victim.test")).toEqual({ status: 200, body: "victim" })
  }, 180_000)

  it("cannot take a domain of another application, or one that the proxy would interpret (I28)", async () => {
    const { base, port } = await shared
    const domains = "http://mine.test"
    const mine = await create(base, "dockerfile", { dockerfile: pageOf("mine"), domains })
    expect((await endOf(base, await deploy(base, mine))).status).toBe("finished")

    const least = { ...(await placesAt(base)), ports_exposes: "8080", dockerfile: pageOf("theirs") }
    const statusOf = async (fact: object) =>
      (await send("POST", `${base}/api/v1/applications/dockerfile`, { ...least, ...fact })).status
    for (const same of [domains, "https://MINE.test", "http://mine.test:80/", "http://other.test,http://mine.test"]) {
      expect(await statusOf({ domains: same }), same).toBe(409)
    }
    for (const odd of [
      "http://{env.PATH}.test",
      "http://*.test",
      "http://mine.test\n",
      "http://mine.test /x",
      "http://a.test@mine.test",
      "http://mine.test;x.test",
      "http://$(id).test",
      "unix:///run/podman.sock"
    ]) {
      expect([400, 409], odd).toContain(await statusOf({ domains: odd }))
    }

    const theirs = await create(base, "dockerfile", {
      dockerfile: pageOf("theirs"),
      domains,
      force_domain_override: true
    })
    const second = await deploy(base, theirs)
    const { reason, status } = await endOf(base, second)
    expect([status, reason]).toEqual(["failed", expect.stringContaining("mine.test")])
    expect(await visit(port, "mine.test")).toEqual({ status: 200, body: "mine" })
    expect(await containersOf(theirs)).toEqual([])
  }, 120_000)

  it("of excessive length is rejected before it costs resources (I25)", async () => {
    const { base } = await shared
    const least = { ...(await placesAt(base)), ports_exposes: "8080", dockerfile: pageOf("long") }
    const post = (fact: object) => send("POST", `${base}/api/v1/applications/dockerfile`, { ...least, ...fact })
    const free = await freePort()
    for (const fact of [
      { custom_docker_run_options: `--hostname ${"x".repeat(10_000)}` },
      { custom_labels: "a=b\n".repeat(30_000) },
      { domains: "http://a.test,".repeat(2_000) },
      { ports_mappings: `${free}:80,`.repeat(10_000) },
      { ports_mappings: "1-65535:1-65535" },
      { pre_deployment_command: "x".repeat(10_001) },
      { limits_memory: "9".repeat(1_000) },
      { health_check_path: `/${"(a+".repeat(10_000)}` }
    ]) {
      const began = performance.now()
      const answer = await post(fact)
      expect(answer.status, JSON.stringify(fact).slice(0, 60)).toBe(400)
      expect(performance.now() - began).toBeLessThan(8_000)
    }
    expect((await post({ description: "x".repeat(6_000_000) })).status).toBe(413)
    const uuid = await create(base, "dockerfile", { dockerfile: pageOf("long") })
    const variables = `${base}/api/v1/applications/${uuid}/envs`
    expect((await send("POST", variables, { key: "LONG", value: "x".repeat(100_001) })).status).toBe(400)
    expect((await send("POST", variables, { key: "K".repeat(10_000), value: "x" })).status).toBe(400)
  })
})
