import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainTextOf } from '../../../../shared/channels/email/content/plain-text.ts';
import { trackedHtml } from '../../../../shared/channels/email/content/tracked-html.ts';
import type { LinkTags } from '../../../../shared/schemas/fields/link-tags.ts';

const OPEN_URL = 'https://n.example/track/open/t';
const PIXEL = `<img src="${OPEN_URL}" alt="" width="1" height="1">`;
const CLICK_URL = 'https://n.example/c';

/** The html without its pixel, and what was asked to be tracked. */
async function track(html: string) {
  const links: [string, LinkTags][] = [];
  const tracked = await trackedHtml(html, {
    openUrl: OPEN_URL,
    clickUrl: async (link, tags) => {
      if (link.startsWith('https://n.example/unsubscribe/')) return undefined;
      links.push([link, tags]);
      return CLICK_URL;
    },
  });
  expect(tracked.split(PIXEL)).toHaveLength(2);
  return { html: tracked.replace(PIXEL, ''), links };
}

describe('the links of a tracked message', () => {
  it.each([
    ['in double quotes', '<a href="https://a.example/x">x</a>', 'https://a.example/x'],
    ['in single quotes', "<a href='https://a.example/x'>x</a>", 'https://a.example/x'],
    ['without quotes', '<a href=https://a.example/x?a=1&b=2>x</a>', 'https://a.example/x?a=1&b=2'],
    [
      'with entities',
      '<a href="https://a.example/?a=1&amp;b=&#x32;&quot;">x</a>',
      'https://a.example/?a=1&b=2"',
    ],
    ['with spaces around', '<a href = " http://a.example ">x</a>', 'http://a.example'],
    ['in upper case', '<A CLASS=b HREF="HTTPS://A.example/X">x</A>', 'HTTPS://A.example/X'],
    ['next to the sign of a tag', '<a title="a > b" href="https://a.example">x</a>', 'https://a.example'],
  ])('lead through this service %s', async (_, html, link) => {
    const tracked = await track(html);
    expect(tracked.links).toEqual([[link, {}]]);
    expect(tracked.html.match(/href="([^"]*)"/i)?.[1]).toBe(CLICK_URL);
    expect(plainTextOf(tracked.html)).toBe(`x (${CLICK_URL})`);
  });

  it('keep every other attribute unchanged', async () => {
    const { html } = await track(`<p>&nbsp;<a id=1 href='https://a.example' title="x &amp; 'y'">z</a></p>`);
    expect(html).toBe(`<p>&nbsp;<a id=1 href="${CLICK_URL}" title="x &amp; 'y'">z</a></p>`);
  });

  it.each([
    ['an email address', '<a href="mailto:ada@example.com">x</a>'],
    ['a phone number', '<a href="tel:+12025550100">x</a>'],
    ['a place in the message', '<a href="#top">x</a>'],
    ['a relative address', '<a href="/x">x</a><a href="//a.example">y</a>'],
    ['an address that is none', '<a href="https://">x</a>'],
    ['a script', '<a href="javascript:alert(\'https://a.example\')">x</a>'],
    ['our unsubscribe link', '<a href="https://n.example/unsubscribe/t">x</a>'],
    [
      'another element',
      '<link href="https://a.example"><area href="https://a.example"><abbr href="https://a">',
    ],
    ['another attribute', '<a data-href="https://a.example" title="href=https://a.example">x</a>'],
    ['a comment', '<!-- <a href="https://a.example">x</a> -->'],
    ['a script element', '<script>"<a href=\'https://a.example\'>"</script>'],
    ['a style', '<style><a href="https://a.example"></style>'],
    ['text', 'https://a.example &lt;a href="https://a.example"&gt;'],
    ['a tag that does not end', '<p>x</p><a href="https://a.example"'],
  ])('remain unchanged in or to %s', async (_, html) => {
    expect(await track(html)).toEqual({ html, links: [] });
  });

  it('use their SES tags, which readers do not see', async () => {
    const { html, links } = await track(
      '<a ses:tags="place:footer;kind:a&amp;b;place:end;;bad;url:http://x;" href="https://a.example">x</a>' +
        '<a href="mailto:a@b.example" SES:TAGS=\'a:b\'>y</a>',
    );
    const tags = { place: ['footer', 'end'], kind: ['a&b'], url: ['http://x'] };
    expect(links).toEqual([['https://a.example', tags]]);
    expect(html).toBe(`<a  href="${CLICK_URL}">x</a><a href="mailto:a@b.example" >y</a>`);
  });

  it('remain unchanged when marked with the no-track attribute of SES, which is removed', async () => {
    const { html, links } = await track('<a ses:no-track href="https://a.example">x</a>');
    expect([html, links]).toEqual(['<a  href="https://a.example">x</a>', []]);
  });

  it('are all found, however many there are', async () => {
    const html = '<a href="https://a.example/x?a=1&amp;b=2">x</a>'.repeat(2000);
    expect((await track(html)).links).toHaveLength(2000);
  });
});

describe('the pixel of a tracked message', () => {
  it.each([
    ['before the end of the body', '<html><body><p>x</p>', '</body></html>'],
    ['before the last end of a body in any case', '<body>x</body><body>y', '</BODY >\n</html>'],
    ['at the end where no body ends', '<p>x</p>', ''],
    ['not in a comment', '<!-- </body> --><p>x</p>', ''],
  ])('goes %s', async (_, before, after) => {
    expect(await trackedHtml(before + after, { openUrl: OPEN_URL, clickUrl: async () => undefined })).toBe(
      before + PIXEL + after,
    );
  });
});

it('changes only the links and the pixel of a message', async () => {
  const part = fc.constantFrom(
    '<a ',
    'href=',
    '"',
    "'",
    '>',
    '<!--',
    '-->',
    '</body>',
    '<p',
    'İ',
    ' ',
    'x',
    '/',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part), async (parts) => {
      const html = parts.join('');
      expect((await track(html)).html).toBe(html);
    }),
  );
});
