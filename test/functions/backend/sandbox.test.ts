import { beforeAll, describe, expect, it } from 'vitest';
import { handler as configure } from '../../../functions/backend/configure-backend.ts';
import { handler as connect } from '../../../functions/backend/connect-backend.ts';
import { handler as listProjects } from '../../../functions/backend/list-backend-projects.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import {
  backendPlatform,
  sandboxBackendPlatform,
} from '../../../shared/services/backend-platform/backend-platform.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();
beforeAll(() => {
  replace(backendPlatform, () => sandboxBackendPlatform);
});

describe('the sandbox of the backend platform', () => {
  it('connects with any code, lists a project, and configures it for any sender', async () => {
    const { secret } = await createTestAccount(app);
    const grant = { code: 'any', redirect_uri: 'http://localhost:5173/cb', code_verifier: 'any' };
    expect((await call(connect, { key: secret.key, body: grant })).json.success).toBe(true);
    const [project] = (await call(listProjects, { key: secret.key })).json.projects;
    const sender = { senderName: 'Shop', senderEmail: 'hello@shop.example.com' };
    const body = { projectRef: project.projectRef, projectName: project.projectName, ...sender };
    expect((await call(configure, { key: secret.key, body })).json.success).toBe(true);
  });
});
