/** The syntax and the meaning of one type of line in a scenario file. */
export interface LineSyntax {
  readonly form: string
  readonly meaning: string
}

/** The syntax of the lines of a scenario file, by their first word. */
export const lineSyntax: Readonly<Record<string, LineSyntax>> = {
  scenario: { form: "scenario <name>", meaning: "Starts a scenario. The lines before the first one belong to all." },
  site: { form: "site +<switch> -<switch> …", meaning: "Turns switches of the site on or off." },
  user: {
    form: "user <name> [public | limited | private] [admin] [restricted] [second-factor] [no-organizations]",
    meaning: "Defines a user."
  },
  organization: {
    form: "organization <name> [public | limited | private]",
    meaning: "Defines an organization."
  },
  team: {
    form: "team <organization>/<name> [visibility] [admin | creates | <unit>=<level> …] [on <repository> … | on *]: <user>, …",
    meaning: "Defines a team with its permissions and members. The team `Owners` owns its organization."
  },
  repository: {
    form: "repository <owner>/<name> [private] [archived] [mirror] [off=<unit>,…]",
    meaning: "Defines a repository."
  },
  collaborator: {
    form: "collaborator <user> <level> <owner>/<name>",
    meaning: "Grants a user a level on a repository that is defined above."
  },
  block: { form: "block <owner> <user>", meaning: "Makes an owner block a user." },
  token: { form: "token <user>/<name> <scope> …", meaning: "Defines an access token of a user." },
  protection: {
    form: "protection <owner>/<name> <branch> [push=<user or team>,… | push=*] [force=…]",
    meaning: "Protects the branches of a repository that match a name or a glob."
  },
  at: { form: "at <time>", meaning: "Sets the time of the decisions, in ISO 8601." }
}

/** Returns the syntax of a line that defines an item of a repository, such as an issue. */
export const itemSyntax = (kind: string): LineSyntax => ({
  form: `${kind} <owner>/<name>#<number> [<fact> | <fact>=<user>] …`,
  meaning: `Defines the resource type \`${kind}\` with its facts. \`<fact>\` is true for all users, \`<fact>=<user>\` for one.`
})
