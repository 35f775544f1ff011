import { Effect } from "effect"
import {
  readBinary,
  readJson,
  writeBinary,
  writeJson
} from "../../../src/server/forge/automation/runnerProtocol/messages.ts"
import type { Requests, Responses } from "../../../src/server/forge/automation/runnerProtocol/schema.ts"
import type { Service } from "./harness.ts"

/** The credentials of a runner. */
export interface Credentials {
  readonly uuid: string
  readonly token: string
}

/** The path of the protocol's calls. */
export const service = "/api/actions/runner.v1.RunnerService"

type Calls = "Register" | "Declare" | "FetchTask" | "UpdateTask" | "UpdateLog"

/** Calls a method like a runner, and reads the response: its message, or the error's code and text. */
export const call = <C extends Calls>(
  api: Service,
  name: C,
  message: Partial<Requests[`${C}Request`]>,
  { token, uuid }: Credentials = { uuid: "", token: "" },
  type: "binary" | "json" = "binary"
): Effect.Effect<{ status: number; message: Responses[`${C}Response`]; failure: readonly [string, string] }> =>
  Effect.gen(function* () {
    const isBinary = type === "binary"
    const { bytes, json, status } = yield* api.fetch("POST", `${service}/${name}`, {
      headers: {
        "content-type": isBinary ? "application/proto" : "application/json",
        "connect-protocol-version": "1",
        ...(uuid === "" ? {} : { "x-runner-uuid": uuid, "x-runner-token": token })
      },
      raw: isBinary ? writeBinary(`${name}Request`, message) : JSON.stringify(writeJson(`${name}Request`, message))
    })
    const response = `${name}Response` as const
    const read = () => (isBinary ? readBinary(response, bytes) : readJson(response, json))
    return {
      status,
      // BOUNDARY: a failed call has no message, which no test reads.
      message: (status === 200 ? read() : undefined) as Responses[`${C}Response`],
      failure: status === 200 ? ["", ""] : [json?.code, json?.message]
    }
  })

/** Registers a runner with a token, and returns its credentials. */
export const registered = (api: Service, token: string, labels: ReadonlyArray<string> = ["linux"], ephemeral = false) =>
  Effect.map(
    call(api, "Register", { name: "box", token, labels, version: "v1", ephemeral }),
    ({ message: { runner } }): Credentials & { readonly id: number } => ({
      uuid: runner.uuid ?? "",
      token: runner.token ?? "",
      id: Number(runner.id)
    })
  )
