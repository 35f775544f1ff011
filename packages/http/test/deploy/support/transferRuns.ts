import { Effect } from "effect"
import type { Run } from "./Run.ts"

/** The URL of an instance in a simulated network that imports every server. */
export const acceptingInstance = "https://other-instance.example"

/** Calls each endpoint of transfers of servers. `key` is a private key of the team. */
export const runTransfers = Effect.fnUntraced(function* (run: Run, key: string) {
  const passphrase = "a long passphrase of a test"
  const remote = { name: "moving", ip: "192.0.2.77", private_key_uuid: key }
  const { uuid } = yield* run(201, "POST", "/servers", "/servers", remote)
  const at = (rest: string) => [`/servers/{uuid}${rest}`, `/servers/${uuid}${rest}`] as const
  yield* run(400, "GET", ...at("/export"))
  yield* run(
    200,
    "GET",
    "/servers/{uuid}/export",
    `/servers/${uuid}/export?passphrase=${encodeURIComponent(passphrase)}`
  )
  yield* run(400, "POST", ...at("/export/mailbox"), {})
  yield* run(200, "POST", ...at("/export/mailbox"), { passphrase })
  yield* run(409, "POST", ...at("/transfer/complete"))
  yield* run(409, "DELETE", ...at("/transfer"))
  yield* run(400, "POST", ...at("/export"), {})
  const bundle = yield* run(200, "POST", ...at("/export"), { passphrase })
  yield* run(409, "POST", ...at("/claim"))
  yield* run(409, "POST", ...at("/export/mailbox"), { passphrase })
  yield* run(200, "DELETE", ...at("/transfer"))
  const body = { bundle, passphrase }
  const [path, template] = ["/servers/import", "/servers/import"]
  yield* run(400, "POST", template, path, body)
  const again = yield* run(200, "POST", ...at("/export"), { passphrase })
  yield* run(400, "POST", ...at("/transfer/complete"), { export_id: "another" })
  yield* run(200, "POST", ...at("/transfer/complete"))
  yield* run(200, "POST", template, path, { ...body, bundle: again, dry_run: true })
  yield* run(201, "POST", template, path, { ...body, bundle: again, claim: false })
  yield* run(200, "POST", ...at("/claim"), { rebind_sentinel: false })
  const target = { target_url: acceptingInstance, target_token: "1|token" }
  yield* run(400, "POST", ...at("/migrate"), { ...target, target_url: "https://broken.example" })
  yield* run(200, "POST", ...at("/migrate"), target)
})
