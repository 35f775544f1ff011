/** Texts of the viewer's lists of issues, pull requests and notifications. */
export const work = {
  notifications: "Notifications",
  unread: "Unread",
  read: "Read",
  none: "No notifications here. Issues and pull requests that you follow appear here.",
  markRead: "Mark as read",
  markUnread: "Mark as unread",
  markAll: "Mark all as read",
  pinned: "Pinned",
  pin: "Pin",
  unpin: "Unpin",
  issues: "Your issues",
  pulls: "Your pull requests",
  kinds: {
    assigned: "Assigned",
    created_by: "Created",
    mentioned: "Mentioned",
    review_requested: "Review requested",
    reviewed_by: "Reviewed"
  },
  noIssues: "No issue matches.",
  milestones: "Your milestones",
  noMilestones:
    "No milestone here. Milestones of your repositories and of repositories that you were granted appear here.",
  noPulls: "No pull request matches.",
  about: (what: string) => `Notification about ${what}`
}
