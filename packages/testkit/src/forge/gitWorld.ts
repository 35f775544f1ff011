import { parseWorld } from "./parse.ts"

/** The access actions that git clients need, over HTTP and SSH. */
export const gitActions = [
  "git.fetch",
  "git.push",
  "git.lfs.read",
  "git.lfs.write",
  "git.wiki.fetch",
  "git.wiki.push"
] as const

const inOrganization = (name: string) => `
  repository ${name}/open
  repository ${name}/shut private
  team ${name}/Owners: olga
  team ${name}/readers code=read on shut: tim
  team ${name}/talkers issues=write on shut: tia
  team ${name}/writers code=write on open: mem
`

/** A world with each type of owner, repository and user that is relevant to git clients. */
export const gitWorld = parseWorld(`
  user ann admin
  user olga
  user mem
  user tim
  user tia
  user out
  user rex restricted
  organization public-one public
  organization limited-one limited
  organization private-one private
  ${["public-one", "limited-one", "private-one"].map(inOrganization).join("\n")}
`)
