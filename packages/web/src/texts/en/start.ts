/** Texts of the start page, the explore pages and the pages of owners. */
export const start = {
  title: "Start",
  yourRepositories: "Your repositories",
  noRepositories: "You have no repositories yet.",
  assigned: "Assigned to you",
  noAssigned: "No open issue is assigned to you.",
  reviews: "Waiting for your review",
  noReviews: "No pull request waits for your review.",
  all: "All",
  explore: "Explore",
  exploreTitle: "Explore this forge",
  noneFound: "Nothing found.",
  noPublic: "No repository is visible here yet.",
  signInForMore: "Sign in to see users.",
  website: "Website",
  location: "Location",
  ownerTabs: "Owner",
  repositories: "Repositories",
  members: "Members",
  teams: "Teams"
}
