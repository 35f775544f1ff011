/** Texts of the pages on which users sign in. */
export const session = {
  title: "Sign in",
  name: "Username or email",
  password: "Password",
  code: "One-time code",
  codeHint: "From your authenticator app, or one of your recovery codes.",
  codeTitle: "Second factor",
  codeWhy: "Your account has a second factor. Enter the current code and your password again.",
  submit: "Sign in",
  forgotten: "Forgot your password?",
  outside: (name: string) => `Sign in with ${name}`,
  wrong: "The name or the password is wrong.",
  wrongCode: "The one-time code is wrong.",
  slowed: "Too many sign-ins failed. Try again later.",
  continueTo: "Sign in to continue."
}
