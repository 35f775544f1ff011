import { joinProblems, mostValues, notAllowed, type Problems, problemsOf, tooManyValuesMessage } from "@slipway/domain"
import {
  type FieldName,
  fields,
  knownFacts,
  noEnvironment,
  type PlacementQuery,
  PlacementStore,
  resolve
} from "@slipway/domain/deploy/apps"
import { Context, Effect, Layer, Predicate, Schema, SchemaAST, type SchemaIssue } from "effect"
import { type HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { GrantedProof, Inputs, OptionalBody } from "../../../api/deploy/base/access.ts"
import { asJson, parseJson, readText, requireBounded } from "../../wire/bodies.ts"
import { excessOf } from "../../wire/jsonText.ts"
import { invalid, toHttpErrors } from "./errors.ts"

/** The maximum number of unknown parameters that an error response lists (invariant I25). */
const mostUnknown = 100

/** Returns the names of the fields in the body of an endpoint. */
const fieldsOf = (endpoint: HttpApiEndpoint.Top): ReadonlySet<string> =>
  new Set(
    [...endpoint.payload.values()]
      .flatMap(({ schemas }) => schemas)
      .flatMap(({ ast }) => (SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []))
  )

/** Returns the names of the parameters in the query of an endpoint. */
const parametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlySet<string> =>
  new Set(
    query !== undefined && SchemaAST.isObjects(query.ast)
      ? query.ast.propertySignatures.map(({ name }) => String(name))
      : []
  )

/** Checks that the environment, destination and keys in a body exist; returns the errors by field. */
const misplaced = Effect.fnUntraced(function* (body: unknown, accepted: ReadonlySet<string>) {
  if (!Predicate.isObject(body)) return {}
  const named = (name: FieldName): string | undefined => {
    const { schema } = fields[name]
    const value = accepted.has(name) && Object.hasOwn(body, name) ? body[name] : undefined
    return Schema.is(schema as Schema.Codec<unknown>)(value) && typeof value === "string" ? value : undefined
  }
  const query: PlacementQuery = {
    projectUuid: named("project_uuid"),
    environmentName: named("environment_name"),
    environmentUuid: named("environment_uuid"),
    serverUuid: named("server_uuid"),
    destinationUuid: named("destination_uuid"),
    privateKeyUuid: named("private_key_uuid")
  }
  const { access } = (yield* GrantedProof).resource.caller
  const { problems } = resolve(query, knownFacts(access, yield* (yield* PlacementStore).facts(query)))
  const namesNone = !Object.hasOwn(body, "environment_name") && !Object.hasOwn(body, "environment_uuid")
  return joinProblems(problems, accepted.has("environment_name") && namesNone ? noEnvironment : {})
})

/** Replaces the error of each repeated query parameter by "Must be sent once."; keeps the other errors. */
const queryProblems = (found: Problems, sent: Readonly<Record<string, string | ReadonlyArray<string>>>): Problems =>
  Object.fromEntries(
    Object.entries(found).map(([name, sentences]) => [
      name,
      Array.isArray(sent[name]) ? ["Must be sent once."] : sentences
    ])
  )

// A shorter text can't exceed the limits. A longer one isn't parsed here to find out: the next step parses it once.
const shortest = 4_000

/** The services that `Inputs` needs, in addition to the request. */
type Needs = PlacementStore
type Provided = HttpRouter.Provided | GrantedProof

/**
 * The middleware that parses and validates path, query and JSON body, after the guard has authorized the request.
 *
 * All invalid requests get the same kind of error response.
 */
export const layerInputs = Layer.effect(
  Inputs,
  Effect.gen(function* () {
    const services = yield* Effect.context<Needs>()
    return Inputs.of((httpEffect, { endpoint }) => {
      const accepted = fieldsOf(endpoint)
      const isOptional = Context.getOrUndefined(endpoint.annotations, OptionalBody) === true
      const wrongBody = Effect.fnUntraced(function* (text: string, issue: SchemaIssue.Issue) {
        const body = yield* toHttpErrors(parseJson(text))
        const wrong = yield* Effect.provideContext(misplaced(body, accepted), services)
        return yield* Effect.fail(invalid({ ...wrong, ...problemsOf(issue) }))
      })
      const parameters = parametersOf(endpoint)
      const decodeQuery =
        endpoint.query === undefined
          ? undefined
          : Schema.decodeUnknownEffect(endpoint.query as Schema.Codec<unknown, unknown>, { errors: "all" })
      const wrongQuery = Effect.fnUntraced(function* (issue: SchemaIssue.Issue, others: Problems = {}) {
        const sent = yield* HttpServerRequest.ParsedSearchParams
        return yield* Effect.fail(invalid({ ...others, ...queryProblems(problemsOf(issue, "query"), sent) }))
      })
      /** Fails if the query has unknown parameters; reports them together with its other errors. */
      const requireKnown = Effect.gen(function* () {
        const sent = yield* HttpServerRequest.ParsedSearchParams
        const unknown = Object.keys(sent).filter((name) => !parameters.has(name))
        if (unknown.length === 0) return
        const problems = Object.fromEntries(unknown.slice(0, mostUnknown).map((name) => [name, [notAllowed]]))
        if (decodeQuery !== undefined) {
          yield* Effect.catchTag(decodeQuery(sent), "SchemaError", ({ issue }) => wrongQuery(issue, problems))
        }
        return yield* Effect.fail(invalid(problems))
      })
      const handled: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, Provided> = httpEffect
      const withBody = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const sent = yield* toHttpErrors(readText(request))
        const text = sent === "" && isOptional ? "{}" : sent
        if (text.length > shortest) {
          yield* toHttpErrors(requireBounded(text))
          if (excessOf(text, mostValues) !== undefined)
            return yield* Effect.fail(invalid({ body: [tooManyValuesMessage] }))
        }
        return yield* handled.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, asJson(request, text)),
          Effect.catch((error) =>
            isRefused(error, "Payload") ? wrongBody(text, error.cause.issue) : Effect.fail(error)
          )
        )
      })
      return Effect.andThen(requireKnown, endpoint.payload.size === 0 ? handled : withBody).pipe(
        Effect.catch((error) => (isRefused(error, "Query") ? wrongQuery(error.cause.issue) : Effect.fail(error)))
        // BOUNDARY: 400 is declared by `Inputs`; 413 by every endpoint with a body, as a test checks.
      ) as never
    })
  })
)

const isRefused = (error: unknown, kind: "Payload" | "Query"): error is HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind === kind
