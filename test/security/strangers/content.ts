import { parseSmtpUrl } from '../../../shared/channels/email/smtp-url.ts';
import { trackedHtml } from '../../../shared/channels/email/tracked-html.ts';
import { isSafeLink, isSafeLinkStart } from '../../../shared/domain/links.ts';
import { orderProblem } from '../../../shared/providers/provider-order.ts';
import { checkSyntax } from '../../../shared/rendering/liquid.ts';
import { messageProblem } from '../../../shared/rendering/message-check.ts';
import { templateProblems } from '../../../shared/rendering/template-check.ts';
import { listOf, type Parsers, rejecting, times } from './inputs.ts';

/** Rendered content, links, tracking, and settings with a special syntax. */
export const CONTENT: Parsers = {
  link: {
    'many tags': (n) => () => isSafeLinkStart(times(n, '{% x %}'), []),
    'unclosed tags': (n) => () => isSafeLinkStart(times(n, '{%'), []),
    colons: (n) => () => isSafeLink(times(n, ' \tjavascript:'), []),
  },
  Liquid: {
    'merge tags': (n) => () => checkSyntax(times(n, '{{ a }}')),
    'unclosed merge tags': (n) => () => checkSyntax(times(n, '{{ ')),
    'nested tags': (n) => () => checkSyntax(times(n, '{% if a %}') + times(n, '{% endif %}')),
    'unclosed tags': (n) => () => checkSyntax(times(n, '{% if a %}')),
    'tags in a comment': (n) => () => checkSyntax(`{% comment %}${times(n, '{% raw %}')}`),
    'filters of one tag': (n) => () => checkSyntax(`{{ a ${times(n, '| upcase ')}}}`),
    'arguments of a filter': (n) => () => checkSyntax(`{{ a | append: ${times(n, 'b, ')}c }}`),
    'conditions of a tag': (n) => () => checkSyntax(`{% if a ${times(n, 'and b ')}%}{% endif %}`),
    'a long path': (n) => () => checkSyntax(`{{ a${times(n, '.b')} }}`),
    'nested brackets': (n) => () => checkSyntax(`{{ ${times(n, 'a[')}0${times(n, ']')} }}`),
    'lines of liquid': (n) => () => checkSyntax(`{% liquid\n${times(n, 'assign a = 1\n')}%}`),
    'a template': (n) => () =>
      templateProblems('INAPP_WEB', { title: times(n, '{{ a }}'), redirectURL: times(n, '{%') }, []),
  },
  'ICU message': {
    arguments: (n) => () => messageProblem(times(n, '{a} '), 'en'),
    'unclosed arguments': (n) => () => messageProblem(times(n, '{a'), 'en'),
    quotes: (n) => () => messageProblem(times(n, "'{"), 'en'),
    choices: (n) => () =>
      messageProblem(`{a, select, ${listOf(n, (i) => `k${i} {x}`).join(' ')} other {x}}`, 'en'),
    nested: (n) => () => messageProblem(times(n, '{a, select, other {') + times(n, '}}'), 'en'),
    'a long skeleton': (n) => () => messageProblem(`{a, number, ::${times(n, '.00/w ')}}`, 'en'),
  },
  'html of an email': {
    'many links': (n) => () => tracked(times(n, '<a href="https://example.com">x</a>')),
    'many attributes': (n) => () => tracked(`<a ${listOf(n, (i) => `a${i}=1`).join(' ')}>`),
    'unclosed tags': (n) => () => tracked(times(n, '<a href="')),
    comments: (n) => () => tracked(times(n, '<!--')),
    'open scripts': (n) => () => tracked(times(n, '<script>')),
  },
  'order of providers': {
    'many entries': (n) => () =>
      orderProblem(
        'SMS',
        listOf(n, (i) => `twilio:a${i}`),
      ),
    'a long URL': (n) => () => rejecting(() => parseSmtpUrl(`smtp://${times(n, 'a:@')}`)),
  },
};

function tracked(html: string): Promise<string> {
  return trackedHtml(html, { openUrl: 'https://o', clickUrl: async (link) => link });
}
