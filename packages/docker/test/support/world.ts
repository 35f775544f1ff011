import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { tarOf } from "@slipway/docker/testing"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import type { LocalAccess, ServerAccess } from "@slipway/domain/deploy/containers"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { EngineWorld } from "@slipway/testkit/deploy"
import { Effect, Layer, Stream } from "effect"

/** An address of a socket without a listener. */
export const nowhere: LocalAccess = {
  _tag: "Local",
  server: "nowhere".padEnd(24, "0") as ServerUuid,
  socket: "/run/slipway-test/no-such.sock",
  connectionTimeout: 2
}

const dockerfile = (image: string, last: string) => `FROM ${image} AS first
RUN echo stage > /stage
FROM ${image}
ARG GREETING
RUN echo "$GREETING"
EXPOSE 8080/tcp
COPY file /file
${last}
`

const lasts = {
  works: "",
  staged: "COPY --from=first /stage /stage",
  fails: 'RUN echo "it is broken" && exit 5',
  // Podman finishes the running step and starts no other; Docker kills it.
  hangs: "RUN sleep 2; echo 4321\nRUN sleep 600; echo 4321"
} as const

const hasProgram = (part: string): boolean =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(part)
      } catch {
        // It exited in between.
        return false
      }
    })

const shell = (script: string, ...values: ReadonlyArray<string>) => ["sh", "-c", script, "sh", ...values]

const printing =
  "trap 'exit 0' TERM; n=$1; shift; while [ $n -gt 0 ]; do printf '%s\\n' \"$1\"; shift; n=$((n-1)); done"

/** The world of the contract on an engine with a busybox image; each layer has separate applications. */
export const worldOn = (
  image: string,
  access: ServerAccess,
  published: EngineWorld["Service"]["published"]
): Layer.Layer<EngineWorld> =>
  Layer.sync(EngineWorld, () => {
    const run = randomBytes(4).toString("hex")
    // A number that only this test uses identifies its hanging program.
    const hanging = String(1_000_000 + randomBytes(3).readUIntBE(0, 3))
    const lasting = String(1_000_000 + randomBytes(3).readUIntBE(0, 3))
    return {
      access,
      nowhere,
      application: (n) => `app${run}${String(n).padStart(13, "0")}` as ApplicationUuid,
      image,
      programs: {
        says: (stdout, stderr) => [
          ...shell(
            `${printing}; while [ $# -gt 0 ]; do printf '%s\\n' "$1" >&2; shift; done; while true; do sleep 0.05; done`,
            String(stdout.length),
            ...stdout,
            ...stderr
          )
        ],
        saysLong: (length) =>
          shell(`trap 'exit 0' TERM; head -c ${length} /dev/zero | tr '\\0' x; echo; while true; do sleep 0.05; done`),
        ends: (exitCode) => shell(`exit ${exitCode}`),
        slow: shell("echo first; sleep 1; echo second")
      },
      commands: {
        variable: (name) => ({ argv: shell(`printf '%s' "$${name}"`) }),
        echo: (text) => ({ argv: ["printf", "%s\\n", text] }),
        read: (path) => ({ argv: ["cat", path] }),
        fails: (exitCode, line) => ({ argv: shell(`printf '%s\\n' "$1" >&2; exit ${exitCode}`, line) }),
        shell: { argv: ["sh"] }
      },
      // A program that ignores the hangup of its terminal must be killed as well.
      lastingLine: `nohup sleep ${lasting} & sleep ${lasting}`,
      isLasting: Effect.sync(() => hasProgram(lasting)),
      archive: (outcome) =>
        Stream.make(
          tarOf({
            "path/Dockerfile":
              outcome === "closed"
                ? `FROM ${published.reference.replace("/app:", "/base:")}\nARG GREETING\nCOPY file /file\n`
                : dockerfile(image, lasts[outcome].replaceAll("4321", hanging)),
            file: "hello"
          })
        ),
      isBuilding: Effect.sync(() => hasProgram(hanging)),
      published
    }
  })
