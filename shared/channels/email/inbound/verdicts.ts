type Headers = readonly { key: string; value: string }[];

/**
 * What SES's headers say against an email, because anybody can write one that speaks for it, and what a relay that the
 * configuration trusts found out about the sender (RFC 8601).
 */
export function verdictsOf(headers: Headers, trusted: string | undefined): Record<string, string> {
  const failed = ['spam', 'virus'].filter((name) =>
    headers.some(
      ({ key, value }) => key === `x-ses-${name}-verdict` && value.trim().toLowerCase() === 'fail',
    ),
  );
  return {
    ...(trusted === undefined ? {} : authenticationOf(headers, trusted.toLowerCase())),
    ...Object.fromEntries(failed.map((name) => [name, 'fail'])),
  };
}

/** Only the uppermost header is the relay's own. */
function authenticationOf(headers: Headers, trusted: string): Record<string, string> {
  const own = headers.find(({ key }) => key === 'authentication-results')?.value ?? '';
  const [host = '', ...results] = withoutComments(own).split(';');
  if (host.trim().split(/\s/)[0]?.toLowerCase() !== trusted) return {};
  const found: Record<string, string> = {};
  for (const each of results) {
    const [, name = '', value = ''] = /^\s*(spf|dkim|dmarc)\s*(?:\/\s*\d+\s*)?=\s*([a-z]+)/i.exec(each) ?? [];
    const [method, result] = [name.toLowerCase(), value.toLowerCase()];
    // One good signature of several is enough.
    if (method !== '' && (!(method in found) || (method === 'dkim' && result === 'pass')))
      found[method] = result;
  }
  return found;
}

/** Without comments, which nest, and quoted text: senders write into them. What is not closed ends the text. */
function withoutComments(text: string): string {
  let depth = 0;
  let isQuoted = false;
  let kept = '';
  for (const character of text.replace(/\\./gs, '')) {
    if (isQuoted) isQuoted = character !== '"';
    else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && character === '"') isQuoted = true;
    else if (depth === 0) kept += character;
  }
  return kept;
}
