import type { New } from "@slipway/domain"
import { rootTeam } from "@slipway/domain/deploy/identity"
import type { GitlabApp, Registry } from "@slipway/domain/deploy/infrastructure"
import { sealed, stamps, uuidOf } from "./builders.ts"

/** Makes test GitLab app number `n`. */
export const newGitlabApp = (n: number, facts?: Partial<New<GitlabApp>>): New<GitlabApp> => ({
  uuid: uuidOf("gitlabApp", n),
  teamId: rootTeam,
  name: `gitlab ${n}`,
  htmlUrl: `https://gitlab${n}.example`,
  customUser: "git",
  customPort: 2_200 + n,
  groups: null,
  webhookToken: sealed(`webhook token ${n}`),
  ...stamps(n),
  ...facts
})

/** Makes test registry credentials number `n`. */
export const newRegistry = (n: number, facts?: Partial<New<Registry>>): New<Registry> => ({
  uuid: uuidOf("registry", n),
  teamId: rootTeam,
  name: `registry ${n}`,
  description: `the registry ${n}`,
  registry: `registry${n}.example`,
  username: "robot",
  password: sealed(`password ${n}`),
  ...stamps(n),
  ...facts
})
