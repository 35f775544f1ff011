import { type Flag, flag } from "./Facts.ts"

/** Roles that tenants define at run time from a fixed set of permissions. */
export interface CustomRoles<P extends string> {
  /** The facts for a vocabulary: one flag for each permission. */
  readonly facts: { readonly [K in P]: Flag }
  /** Parses the permissions of a stored role. Throws for an unknown permission. */
  readonly parse: (name: string, permissions: ReadonlyArray<string>) => ReadonlyArray<P>
  /** Returns the facts of a caller with the given roles: a flag is true if one of the roles has the permission. */
  readonly factsOf: (roles: Iterable<ReadonlyArray<P>>) => { readonly [K in P]: boolean }
}

/**
 * Defines the permissions that custom roles can combine, each with its description, such as "edit documents".
 *
 * Each permission becomes a flag that access rules can test. A custom role cannot grant more than the rules allow.
 */
export const customRoles = <const P extends string>(permissions: Readonly<Record<P, string>>): CustomRoles<P> => {
  const names = Object.keys(permissions) as unknown as ReadonlyArray<P>
  const all = <A>(value: (name: P) => A) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as { readonly [K in P]: A }
  const none = all(() => false)
  return {
    facts: all((name) =>
      flag(`a role of the caller may ${permissions[name]}`, `no role of the caller may ${permissions[name]}`)
    ),
    parse: (role, permissionNames) =>
      permissionNames.map((each) => {
        const known = names.find((name) => name === each)
        if (known !== undefined) return known
        throw new Error(
          `the role "${role}" has the permission \`${each}\`, but roles can have only ${names.join(", ")}`
        )
      }),
    factsOf: (roles) => {
      // Every decision asks for these facts, often of a caller without a role on the place.
      let facts: Record<P, boolean> | undefined
      for (const held of roles) {
        facts ??= { ...none }
        for (const permission of held) facts[permission] = true
      }
      return facts ?? none
    }
  }
}
