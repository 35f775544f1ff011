/** English texts of the settings for labels, secrets, variables and runners of an organization. */
export const ownerSettings = {
  tabs: {
    labels: "Labels",
    hooks: "Webhooks",
    secrets: "Secrets",
    variables: "Variables",
    runners: "Runners",
    blocked_users: "Blocked users"
  },
  noLabels: "No labels. Labels of an organization can be used in all of its repositories.",
  noBlocked: "The organization blocks no users.",
  blockHint:
    "A blocked user cannot open issues or pull requests in repositories of the organization, comment, review, react or watch. Members cannot be blocked.",
  noHooks: "No webhooks. A webhook of an organization gets the events of all of its repositories.",
  addLabel: "Add label",
  editLabel: (name: string) => `Edit label ${name}`,
  edit: "Edit",
  exclusive: "Exclusive: an issue has at most one label of the scope before the slash",
  archived: "Archived: the label cannot be added to more issues",
  secretsHint: "Workflows of all repositories of the organization can read a secret. Its value is never shown.",
  noSecrets: "No secrets.",
  setSecret: "Set secret",
  setSecretHint: "A secret with the same name gets the new value.",
  value: "Value",
  nameHint: "Letters, digits and underscores. It does not start with a digit, GITHUB_, GITEA_, FORGEJO_ or SLIPWAY_.",
  updated: "set",
  variablesHint: "Workflows of all repositories of the organization can read a variable.",
  noVariables: "No variables.",
  addVariable: "Add variable",
  editVariable: (name: string) => `Edit variable ${name}`,
  runnersHint: "Runners of an organization run jobs of all of its repositories.",
  noRunners: "No runners. Register one with a registration token.",
  ofRepository: {
    secrets: "Workflows of this repository can read a secret. Its value is never shown.",
    variables: "Workflows of this repository can read a variable.",
    runners: "Runners of a repository run only its jobs."
  },
  ofUser: {
    variables: "Workflows of all of your repositories can read a variable.",
    runners: "Your runners run jobs of all of your repositories."
  }
}
