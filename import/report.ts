import type { Contact, Line } from './contact.ts';

const SHOWN_MAX = 20;

export class Summary {
  readonly counts = {
    lines: 0,
    contacts: 0,
    emails: 0,
    numbers: 0,
    pushTokens: 0,
    webPushTokens: 0,
    preferences: 0,
    optOuts: 0,
    suppressions: 0,
    rejected: 0,
  };
  /** Omitted values, and how often. */
  readonly leftOut = new Map<string, number>();
  readonly rejections: { line: number; because: string }[] = [];

  add(line: Line): Contact | undefined {
    this.counts.lines += 1;
    if (line.kind === 'rejected') {
      this.reject(line.line, line.because);
      return undefined;
    }
    const { contact, notes } = line;
    for (const note of new Set(notes)) this.leftOut.set(note, (this.leftOut.get(note) ?? 0) + 1);
    this.counts.contacts += 1;
    this.counts.emails += Number(contact.email !== undefined);
    this.counts.numbers += Number(contact.number !== undefined);
    for (const list of ['pushTokens', 'webPushTokens', 'preferences'] as const)
      this.counts[list] += contact[list]?.length ?? 0;
    this.counts.optOuts += Number(contact.optOut !== undefined);
    this.counts.suppressions += Number(contact.suppression !== undefined);
    return contact;
  }

  reject(line: number, because: string): void {
    this.counts.rejected += 1;
    if (this.rejections.length < SHOWN_MAX) this.rejections.push({ line, because });
  }

  json() {
    return { ...this.counts, leftOut: Object.fromEntries(this.leftOut), rejections: this.rejections };
  }

  text(): string {
    const { lines, contacts, emails, numbers, optOuts, suppressions, rejected } = this.counts;
    const { pushTokens, webPushTokens, preferences } = this.counts;
    const left = [...this.leftOut].sort(([, one], [, other]) => other - one);
    const hidden = rejected - this.rejections.length;
    return [
      `${lines} lines: ${contacts} with a user, ${rejected} rejected`,
      `  ${emails} email addresses, ${suppressions} of them suppressed, ${optOuts} opted out of marketing; ${numbers} phone numbers; ${pushTokens} push tokens`,
      ...(webPushTokens + preferences > 0
        ? [`  ${webPushTokens} web push subscriptions; ${preferences} preferences`]
        : []),
      ...(left.length > 0 ? ['Not carried over (times):'] : []),
      ...left.slice(0, SHOWN_MAX).map(([what, times]) => `  ${times}  ${what}`),
      ...(left.length > SHOWN_MAX ? [`  and ${left.length - SHOWN_MAX} more; --json has all`] : []),
      ...(rejected > 0 ? ['Rejected:'] : []),
      ...this.rejections.map(({ line, because }) => `  line ${line}: ${because}`),
      ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ].join('\n');
  }
}
