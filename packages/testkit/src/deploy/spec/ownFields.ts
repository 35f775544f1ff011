import { fromGit, type Variant, variants } from "@slipway/domain/deploy/apps"

/** A configuration field of the platform that Coolify's API specification does not have. */
export interface OwnField {
  readonly name: string
  readonly type: "array" | "boolean" | "integer" | "string"
  readonly nullable: boolean
  readonly required: false
  readonly default?: boolean
  readonly enum?: ReadonlyArray<string>
  readonly variants: ReadonlyArray<Variant>
}

/** The configuration fields of the platform that Coolify's API specification does not have. */
export const ownFields: ReadonlyArray<OwnField> = [
  {
    name: "is_commit_skip_enabled",
    type: "boolean",
    nullable: false,
    required: false,
    default: true,
    variants: fromGit
  },
  { name: "stop_grace_period", type: "integer", nullable: true, required: false, variants },
  { name: "is_git_submodules_enabled", type: "boolean", nullable: false, required: false, default: true, variants },
  { name: "is_git_lfs_enabled", type: "boolean", nullable: false, required: false, default: true, variants },
  {
    name: "is_preview_deployments_enabled",
    type: "boolean",
    nullable: false,
    required: false,
    default: false,
    variants
  },
  { name: "preview_url_template", type: "string", nullable: true, required: false, variants },
  { name: "is_gzip_enabled", type: "boolean", nullable: false, required: false, default: false, variants },
  { name: "is_stripprefix_enabled", type: "boolean", nullable: false, required: false, default: false, variants },
  { name: "noindex_domains", type: "array", nullable: false, required: false, variants },
  { name: "disable_build_cache", type: "boolean", nullable: false, required: false, default: false, variants },
  {
    name: "include_source_commit_in_build",
    type: "boolean",
    nullable: false,
    required: false,
    default: false,
    variants
  },
  { name: "is_env_sorting_enabled", type: "boolean", nullable: false, required: false, default: false, variants },
  { name: "docker_images_to_keep", type: "integer", nullable: true, required: false, variants }
]

/** Returns the fields of a variant that this platform adds to those of Coolify. */
export const ownFieldsOf = (variant: Variant): ReadonlyArray<OwnField> =>
  ownFields.filter((field) => field.variants.includes(variant))

/** The additional fields of the platform, by name. */
export const ownByName: Readonly<Record<string, OwnField>> = Object.fromEntries(
  ownFields.map((field) => [field.name, field])
)
