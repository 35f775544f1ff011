/**
 * The order of areas in each package that has features, lowest first, as data.
 *
 * An area imports only itself and areas before it. Files directly in the folder compose the areas and may import all of them.
 * `docs/explanation/architecture.md` describes the areas.
 */

const features = ["identity", "code", "collaboration", "automation", "registries"] as const
const platform = ["base", "identity", "infrastructure", "apps", "containers", "databases", "runtime"] as const

/** The areas of each folder. */
export const areas: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/domain/src/forge": [
    "access",
    "base",
    ...features,
    "events",
    "integrations",
    "entry",
    "explanation",
    "background"
  ],
  "packages/domain/src/deploy": ["access", ...platform, "administration", "entry"],
  "packages/forge/src": ["base", "entry", ...features, "integrations", "explanation", "administration", "background"],
  "packages/deploy/src": [...platform, "administration", "entry"],
  "packages/http/src/api/forge": ["base", ...features, "integrations", "explanation", "administration", "background"],
  "packages/http/src/server/forge": [
    "base",
    "entry",
    ...features,
    "integrations",
    "explanation",
    "administration",
    "background"
  ],
  "packages/http/src/api/deploy": [
    "base",
    "identity",
    "infrastructure",
    "databases",
    "apps",
    "runtime",
    "administration"
  ],
  "packages/http/src/server/deploy": [
    "base",
    "identity",
    "infrastructure",
    "databases",
    "apps",
    "runtime",
    "administration"
  ],
  "packages/memory/src/forge": ["base", ...features, "integrations", "entry", "explanation", "background"],
  "packages/memory/src/deploy": [...platform, "administration"],
  "packages/sql/src/forge": ["base", ...features, "integrations", "entry", "explanation", "background"],
  "packages/sql/src/deploy": [...platform, "administration"],
  "packages/testkit/src/forge/contracts": ["base", ...features, "integrations", "entry", "explanation", "background"],
  "packages/testkit/src/deploy/contracts": [...platform, "administration"]
}

/** Folders next to the areas, without an order. */
export const unorderedFolders: ReadonlyArray<string> = ["migrations", "rules"]

/** The number of files that a folder may hold directly. */
export const mostFiles = 25
