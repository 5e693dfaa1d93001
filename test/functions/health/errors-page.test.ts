import { describe, expect, it } from 'vitest';
import { handler } from '../../../functions/health/get-errors-page.ts';
import { guidePage } from '../../../infra/local/reference/guide-layout.ts';
import { renderPage } from '../../../infra/local/reference/guide-pages.ts';
import { call } from '../../support/app.ts';
import { read } from '../../support/project-files.ts';
import { useApp } from '../../support/use-app.ts';

useApp();

describe('the page of errors', () => {
  it('is docs/errors.md as a page without scripts: npm run openapi writes it', async () => {
    const { status, response } = await call(handler, {});
    expect(status).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.body).toBe(guidePage(renderPage('docs/errors.md', read('docs/errors.md'))));
    expect(response.body).toContain('<h3 id="sms-21610">');
  });
});
