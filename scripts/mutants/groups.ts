/** Sources that decide something, and the fast tests with literal expectations that must notice changes. */
export interface Group {
  readonly sources: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
}

const domain = "packages/domain"

/** The groups by name. */
export const groups: Readonly<Record<string, Group>> = {
  conditions: {
    sources: ["Admission", "Condition", "Decision", "Level", "Loaded", "Prose", "Sql"].map(
      (name) => `${domain}/src/access/${name}.ts`
    ),
    tests: [`${domain}/test/access/*.test.ts`, `${domain}/test/forge/{access,explain}.test.ts`]
  },
  "forge-access": {
    sources: [`${domain}/src/forge/access/*.ts`, `${domain}/src/forge/access/{actions,guards}/*.ts`],
    // Without `rules.test.ts`: it checks that all forms of a table agree, whatever the table contains.
    tests: ["access", "catalogue", "changes", "matrix", "invariants", "explain", "policies", "tables"].map(
      (name) => `${domain}/test/forge/${name}.test.ts`
    )
  },
  "deploy-access": {
    sources: ["abilities", "actions", "authorize", "rules", "within"].map(
      (name) => `${domain}/src/deploy/access/${name}.ts`
    ),
    tests: [`${domain}/test/deploy/{abilities,access}.test.ts`]
  },
  credentials: {
    sources: ["Credential", "passwords", "recovery", "signInThrottle", "signedRequest"].map(
      (name) => `${domain}/src/forge/credentials/${name}.ts`
    ),
    tests: [`${domain}/test/forge/{credentials,signed-requests}.test.ts`]
  },
  domains: {
    sources: [`${domain}/src/deploy/domains/{DomainAddress,ProxyPorts,Domains}.ts`],
    tests: [`${domain}/test/deploy/domains.test.ts`]
  },
  pipeline: {
    sources: ["plan", "composed", "source"].map((name) => `${domain}/src/deploy/pipeline/${name}.ts`),
    tests: [`${domain}/test/deploy/pipeline/{plan,composed,source}.test.ts`]
  }
}
