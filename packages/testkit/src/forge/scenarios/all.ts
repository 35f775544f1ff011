import type { Stores } from "@slipway/domain/forge"
import { defaultSite, type Site } from "@slipway/domain/forge/base"
import { Layer } from "effect"
import { IpNetwork } from "effect/net"
import { register } from "../../contract.ts"
import { testEnv } from "../testEnv.ts"
import { accounts } from "./accounts.ts"
import { administration } from "./administration.ts"
import { effectiveAccess } from "./effective-access/scenario.ts"
import { jobTokens } from "./jobTokens.ts"
import { organizations } from "./organizations/index.ts"
import { hidingRules, policies } from "./policies.ts"
import { secondFactor } from "./secondFactor.ts"
import { signIn, signInByProxy, signInOnClosedSite, signInWithoutProxy } from "./signIn.ts"
import type { Scenario } from "./support.ts"
import { teams } from "./teams/scenario.ts"
import { userRelations } from "./userRelations.ts"

const closed: Partial<Site> = {
  switches: { ...defaultSite.switches, strictSignIn: true, confirmationRequired: true },
  signIn: { ...defaultSite.signIn, queryTokens: false }
}

const proxied: Partial<Site> = {
  signIn: { ...defaultSite.signIn, proxyUser: true, trustedProxies: [IpNetwork.fromStringUnsafe("10.0.0.0/8")] }
}

const guarded: Partial<Site> = {
  accounts: {
    visibility: "limited",
    restricted: true,
    mayCreateOrganizations: false,
    hideEmail: true,
    emailNotifications: "onmention",
    registration: "off"
  }
}

/** Every scenario, each with its site. */
const all: ReadonlyArray<readonly [Scenario, Partial<Site>]> = [
  [signIn, {}],
  [signInOnClosedSite, closed],
  [signInByProxy, proxied],
  [signInWithoutProxy, {}],
  [jobTokens, {}],
  [secondFactor, {}],
  [accounts, {}],
  [userRelations, {}],
  [teams, {}],
  [effectiveAccess, {}],
  [organizations, {}],
  [administration, guarded],
  [policies, { policy: hidingRules }]
]

/** Registers the tests of all scenarios. `layer` is rebuilt for each test, and must start empty. */
export const scenarios = <E>(name: string, layer: Layer.Layer<Stores, E>): void => {
  for (const [scenario, site] of all) register(name, Layer.mergeAll(layer, testEnv(site)), [scenario])
}
