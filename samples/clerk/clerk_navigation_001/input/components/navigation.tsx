// TODO: a server component that shows, in a <nav>,
//
// - the links of LINKS (lib/links.ts) that this visitor may see, in their order
// - to signed-in visitors, who they are: "<name> (<role>)", or the name alone where no organisation
//   is active. All of the text stands in one element.
//     name   first and last name of Clerk's user, as far as there are any; else the primary e-mail
//            address; else "Your account". Where Clerk's API fails it is "Your account", too, and
//            the links are shown all the same.
//     role   the role in the active organisation, as in ROLE_NAMES; one that isn't there is shown
//            without its "org:"
export async function Navigation() {
  return <nav />
}
