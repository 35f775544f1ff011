/** Sources with decisions, and the fast tests with literal expectations that must fail when these sources change. */
export interface Group {
  readonly sources: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
}

const domain = "packages/domain"
const engine = "packages/access"

/** The groups by name. */
export const groups: Readonly<Record<string, Group>> = {
  conditions: {
    sources: ["Admission", "Condition", "Decision", "Enumerate", "Facts", "Level", "Loaded", "Prose", "Sql"].map(
      (name) => `${engine}/src/${name}.ts`
    ),
    tests: [`${engine}/test/{conditions,decisions}.test.ts`, `${domain}/test/forge/access/{access,explain}.test.ts`]
  },
  library: {
    sources: ["Context", "Fields", "Relations", "Roles", "Rules"].map((name) => `${engine}/src/${name}.ts`),
    tests: [`${engine}/test/rules.test.ts`]
  },
  proofs: {
    sources: [`${engine}/src/proof/*.ts`],
    tests: [`${engine}/test/proof.test.ts`]
  },
  "forge-access": {
    sources: [`${domain}/src/forge/access/*.ts`, `${domain}/src/forge/access/{actions,facts,guards}/*.ts`],
    // Without `rules.test.ts`: it checks that all forms of a table agree, whatever the table contains.
    tests: ["access", "catalogue", "changes", "matrix", "invariants", "explain", "policies", "proofs", "tables"].map(
      (name) => `${domain}/test/forge/access/${name}.test.ts`
    )
  },
  "deploy-access": {
    sources: ["access", "entry/access", "identity/grants"].map((name) => `${domain}/src/deploy/${name}/*.ts`),
    tests: [`${domain}/test/deploy/access/*.test.ts`]
  },
  credentials: {
    sources: [
      `${domain}/src/forge/identity/credentials/{Credential,passwords,recovery}.ts`,
      `${domain}/src/sign-in/signInThrottle.ts`,
      "packages/forge/src/entry/credentials/signedRequest.ts"
    ],
    tests: [`${domain}/test/forge/identity/credentials.test.ts`, "packages/forge/test/entry/signed-requests.test.ts"]
  },
  domains: {
    sources: [
      `${domain}/src/deploy/apps/domains/{DomainAddress,ProxyPorts}.ts`,
      "packages/deploy/src/apps/domains/Domains.ts"
    ],
    tests: ["packages/deploy/test/apps/domains.test.ts"]
  },
  pipeline: {
    sources: [`${domain}/src/deploy/runtime/pipeline/{plan,source}.ts`],
    tests: [
      `${domain}/test/deploy/runtime/pipeline/source.test.ts`,
      "packages/deploy/test/runtime/pipeline/plan.test.ts"
    ]
  }
}
