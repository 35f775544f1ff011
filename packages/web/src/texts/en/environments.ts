/** English texts of the settings of deployment environments. */
export const environments = {
  environments: "Environments",
  none: "No environments. An environment, such as production, can require reviewers and permit only some branches.",
  create: "New environment",
  edit: (name: string) => `Environment ${name}`,
  name: "Environment name",
  nameHint: "The name of the environment on the deployment platform, such as production.",
  users: "Reviewers: users",
  teams: "Reviewers: teams of the organization",
  preventSelfReview: "The user who pushed the commit cannot review its deployment",
  waitTimer: "Wait time in minutes",
  waitTimerHint: "Each deployment waits this long after its creation, at most 43,200 minutes (30 days).",
  branches: "Branches and tags that may deploy",
  policies: {
    all: "All branches and tags",
    protected: "Protected branches only",
    selected: "Only those that match a pattern"
  },
  patterns: "Patterns",
  noPatterns: "No patterns, so nothing may deploy to this environment.",
  addPattern: "Add pattern",
  pattern: "Pattern",
  patternHint: "A name or a glob such as release/*. One * does not match a slash, ** does.",
  type: "Applies to",
  types: { branch: "Branches", tag: "Tags" },
  reviewersShown: (count: number) => (count === 1 ? "1 reviewer" : `${count} reviewers`),
  minutesShown: (count: number) => (count === 1 ? "waits 1 minute" : `waits ${count} minutes`),
  taken: (name: string) => `The environment ${name} already exists: change it in the list of environments.`,
  minutesWrong: "Enter a whole number of minutes.",
  tooMany: (most: number) => `Enter at most ${most} users and teams together.`,
  unknownUsers: (names: string) => `There are no users with these names: ${names}.`,
  unknownTeams: (names: string) => `The organization has no teams with these names: ${names}.`
}
