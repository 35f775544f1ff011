import { InvalidInput, makeAlphanumericText, makeHex, makeUuid, type New } from "@slipway/domain"
import {
  ApplicationStore,
  addressValue,
  parseDomains,
  partsFor,
  type Service,
  type ServicePart,
  ServicePartUuid,
  ServiceStore,
  type ServiceUrl,
  type ServiceUuid,
  serviceApplication,
  serviceApplicationUuid,
  serviceVariables,
  VariableStore
} from "@slipway/domain/deploy/apps"
import { ComposeReader } from "@slipway/domain/deploy/containers"
import { Effect, Redacted } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { hold } from "../domains/Domains.ts"
import { setAll } from "../variables/Variables.ts"

/** Returns the parsed addresses of all containers of a service. */
export const addressesOf = (urls: ReadonlyArray<ServiceUrl>) => urls.flatMap((each) => parseDomains(each.url).addresses)

/** Identifies a service as the resource that claims domains. */
export const holderOf = (uuid: ServiceUuid) => ({ type: "service", uuid }) as const

/** Claims the domains of a service, and releases its earlier claims. */
export const claim = (service: Pick<Service, "uuid" | "urls">) =>
  hold(holderOf(service.uuid), addressesOf(service.urls))

/**
 * Parses the services of a compose text. Returns a function that creates a service part for each; existing parts keep
 * their settings.
 *
 * Fails if the text is not a compose file.
 */
export const readOutline = Effect.fnUntraced(function* (text: string) {
  const outline = yield* (yield* ComposeReader)
    .outline(text)
    .pipe(
      Effect.mapError(
        ({ because }) => new InvalidInput({ problems: { docker_compose_raw: [`Must be a compose file: ${because}.`] } })
      )
    )
  const uuids = yield* Effect.replicateEffect(makeUuid(ServicePartUuid), outline.length)
  return (present: ReadonlyArray<ServicePart>) => partsFor(outline, present, uuids)
})

const digestOf = Effect.fnUntraced(function* (text: string) {
  return yield* (yield* Digest.Digest).digestHex(Digest.sha256, new TextEncoder().encode(text))
})

/** Inserts a service, and the application that runs its containers. */
export const store = Effect.fnUntraced(function* (draft: New<Service>) {
  const service = yield* Effect.orDie((yield* ServiceStore).insert(draft))
  const row = serviceApplication(service, yield* digestOf(service.dockerComposeRaw))
  return { service, application: yield* Effect.orDie((yield* ApplicationStore).insert(row)) }
})

/** Finds and locks the application that runs a service. */
export const runnerOf = Effect.fnUntraced(function* ({ uuid }: Pick<Service, "uuid">) {
  const found = yield* (yield* ApplicationStore).lock(serviceApplicationUuid(uuid))
  return found ?? (yield* Effect.die(new Error(`the service ${uuid} has no application`)))
})

/** Replaces a service row, and the row of the application that runs the service. Returns that application. */
export const replace = Effect.fnUntraced(function* (service: Service) {
  const { id } = yield* runnerOf(service)
  const row = { ...serviceApplication(service, yield* digestOf(service.dockerComposeRaw)), id }
  yield* Effect.orDie((yield* ServiceStore).replace(service))
  yield* Effect.orDie((yield* ApplicationStore).replace(row))
  return row
})

const secretOf = Effect.fnUntraced(function* (length: number, form: "letters" | "hex" | "base64") {
  if (form === "hex") return yield* makeHex(length)
  const text = yield* makeAlphanumericText(length)
  return form === "base64" ? Base64.encode(text) : text
})

/**
 * Sets the variables that the compose text of a service references: adds missing secrets, and updates addresses.
 *
 * Never replaces existing secrets: a new password would lock out the clients of an existing database.
 */
export const setVariables = Effect.fnUntraced(function* ({ dockerComposeRaw, urls, uuid }: Service) {
  const variables = serviceVariables(dockerComposeRaw)
  if (variables.length === 0) return
  const application = serviceApplicationUuid(uuid)
  const present = new Set((yield* (yield* VariableStore).ofApplication(application)).map(({ key }) => key))
  const inputs = yield* Effect.forEach(
    variables.filter((variable) => variable._tag === "Address" || !present.has(variable.key)),
    Effect.fnUntraced(function* (variable) {
      const { key } = variable
      const value =
        variable._tag === "Address" ? addressValue(variable, urls) : yield* secretOf(variable.length, variable.form)
      return { key, value: Redacted.make(value), isLiteral: true }
    })
  )
  // Keys are unique here, so only the number of variables can be wrong.
  yield* Effect.catchTag(
    setAll({ application: { uuid: application } }, inputs, "docker_compose_raw"),
    ["ApplicationNotFound", "DatabaseNotFound", "Duplicate"],
    Effect.die
  )
})
