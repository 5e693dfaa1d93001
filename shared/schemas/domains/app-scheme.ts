const WEB_SCHEMES: readonly string[] = ['http', 'https'];

export const LINK_SCHEMES_MAX = 20;

/** Schemes that run a script, show a forged page or read this device: no account can allow them. */
const DANGEROUS_SCHEMES: readonly string[] = [
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'jar',
  'javascript',
  'livescript',
  'mhtml',
  'mocha',
  'vbscript',
  'view-source',
];

/** True if an account may allow links of this scheme, such as `myapp` for `myapp://orders/7`. */
export function isAppScheme(scheme: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]{1,63}$/.test(scheme) &&
    !DANGEROUS_SCHEMES.includes(scheme) &&
    !WEB_SCHEMES.includes(scheme)
  );
}
