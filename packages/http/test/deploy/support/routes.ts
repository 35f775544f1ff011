import type { FieldName, Variant } from "@slipway/domain/deploy/apps"
import { ownByName, ownFields, ownFieldsOf } from "@slipway/testkit/deploy"
import routes from "../surface/deploy-routes.json" with { type: "json" }

/** A field in the route table of the specification. */
export interface RouteField {
  readonly name: FieldName
  readonly type: string
  readonly nullable: boolean
  readonly enum?: ReadonlyArray<string>
}

/** An endpoint in the route table of the specification. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly errors: ReadonlyArray<number>
  readonly variant?: Variant
  readonly required?: ReadonlyArray<FieldName>
  readonly accepted?: ReadonlyArray<RouteField>
  readonly visible?: ReadonlyArray<FieldName>
}

/** An endpoint that creates applications. */
export type Creation = Route & Required<Pick<Route, "variant" | "required" | "accepted">>

/** The nine endpoints of applications, from the specification. */
export const applicationRoutes = (routes.endpoints as unknown as ReadonlyArray<Route>).map((route): Route => {
  const { accepted, variant, visible } = route
  const own = variant === undefined ? ownFields : ownFieldsOf(variant)
  // BOUNDARY: the names of our own fields are those of fields.
  const fields = own as unknown as ReadonlyArray<RouteField>
  return {
    ...route,
    ...(accepted === undefined ? {} : { accepted: [...accepted, ...fields] }),
    ...(visible === undefined ? {} : { visible: [...visible, ...fields.map(({ name }) => name)] })
  }
})

/** The five endpoints that create applications. */
export const creations = applicationRoutes.filter((route): route is Creation => route.variant !== undefined)

/** All configuration fields, with the defaults that the specification states. */
export const configurationFields = { ...routes.configuration_fields, ...ownByName } as unknown as Readonly<
  Record<FieldName, { readonly type: string; readonly nullable: boolean; readonly default?: unknown }>
>

/** The numbers of fields and endpoints in the specification, including our additions. */
export const counts = {
  ...routes.counts,
  configuration_fields: routes.counts.configuration_fields + ownFields.length,
  accepted_fields: Object.fromEntries(
    Object.entries(routes.counts.accepted_fields).map(([variant, count]) => [
      variant,
      count + ownFieldsOf(variant as Variant).length
    ])
  ) as Readonly<Record<Variant, number>>
}
