/** Texts of the page of deployments. */
export const deployments = {
  deployments: "Deployments",
  none: "No deployments. A deployment platform that is connected to this forge reports them here.",
  noneYet:
    "Nothing is deployed from this repository yet. The deployment platform creates an application after you confirm.",
  deploy: "Deploy this repository",
  deployed: "Deployed from this repository",
  all: "All deployments",
  page: "Page",
  log: "Log",
  by: "by",
  disconnected:
    "The deployment platform is disconnected: the token of its newest deployment was revoked. Give it a new token to deploy again.",
  approve: "Approve and deploy",
  reject: "Reject",
  about: (environment: string, commit: string) => `${commit} to ${environment}`,
  waiting: "Waiting for approval",
  rejected: "Rejected",
  states: {
    error: "Error",
    failure: "Failed",
    inactive: "Inactive",
    in_progress: "In progress",
    pending: "Pending",
    queued: "Queued",
    success: "Deployed"
  }
}
