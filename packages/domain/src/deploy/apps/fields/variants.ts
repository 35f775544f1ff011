import { Schema } from "effect"

/** The five ways to create an application (spec "Creation bodies"). */
export const variants = ["public", "private-forge-app", "private-deploy-key", "dockerfile", "dockerimage"] as const
/** The schema of an application variant: one of the five ways to create an application. */
export const Variant = Schema.Literals(variants)
export type Variant = typeof Variant.Type

/**
 * The variant of a stored application. `service` is the internal application that runs a service; the API shows only
 * the service.
 */
export type StoredVariant = Variant | "service"

/** The variants with an image that is built from a git repository. */
export const fromGit: ReadonlyArray<Variant> = ["public", "private-forge-app", "private-deploy-key"]
/** The variants with an image that the platform builds. */
export const built: ReadonlyArray<Variant> = [...fromGit, "dockerfile"]

/** Returns whether the image of an application is built from a git repository. */
export const isFromGit = (variant: StoredVariant): boolean =>
  (fromGit as ReadonlyArray<StoredVariant>).includes(variant)
