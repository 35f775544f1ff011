const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`

/** English texts of the layout of pages. */
export const layout = {
  skip: "Skip to content",
  search: "Search repositories, issues and people",
  siteSearch: "Site search",
  searchButton: "Search",
  explore: "Explore",
  signIn: "Sign in",
  signOut: "Sign out",
  account: "Your account",
  profile: "Your profile",
  settings: "Settings",
  inbox: "Inbox",
  unread: (count: number) => plural(count, "unread notification", "unread notifications"),
  newRepository: "New repository",
  apiReference: "API reference",
  page: (page: number) => `Page ${page}`,
  previous: "Previous",
  next: "Next",
  pagination: "Pages",
  copy: "Copy",
  copied: "Copied",
  breadcrumb: "Breadcrumb",
  why: "Why?"
}

/** Texts of forms. */
export const forms = {
  summary: (count: number) => plural(count, "problem to fix", "problems to fix"),
  csrf: "This form is too old, or another site sent it. Check what you entered and send it again.",
  tooLarge: "The form is too large: at most 1 MiB.",
  required: "must not be empty",
  typeName: (name: string) => `must be ${name}`,
  save: "Save changes",
  preview: "Preview changes",
  previewShort: "Preview",
  cancel: "Cancel",
  remove: "Remove",
  delete: "Delete",
  saved: "Saved."
}

/** Texts of error pages. */
export const errors = {
  notFoundTitle: "Page not found",
  notFound: "This page does not exist, or you may not see it.",
  notFoundSignedOut: "It may be visible after you sign in.",
  forbiddenTitle: "You may not do this",
  forbidden: "Your account lacks the permission for this page.",
  internalTitle: "Something went wrong",
  internal: "The forge could not make this page. The administrator finds the cause by the request id.",
  unavailableTitle: "Temporarily unavailable",
  unavailable: "The forge can't reach its data or is busy. Try again in a few seconds.",
  limitedTitle: "Too many requests",
  limited: (seconds: string) => `Try again in ${seconds} seconds.`,
  rejectedTitle: "Request not accepted",
  requestId: "Request id",
  home: "Go to the start page",
  noSuchName: "does not exist, or you may not see it"
}

/** English words for users, organizations and repositories that many pages use. */
export const words = {
  public: "Public",
  private: "Private",
  limited: "Limited",
  internal: "Internal",
  archived: "Archived",
  fork: "Fork",
  mirror: "Mirror",
  template: "Template",
  forkedFrom: "forked from",
  repositories: "Repositories",
  users: "Users",
  organizations: "Organizations",
  updated: "Updated",
  stars: (count: number) => plural(count, "star", "stars"),
  forks: (count: number) => plural(count, "fork", "forks"),
  joined: "Joined",
  filter: "Filter",
  name: "Name"
}
