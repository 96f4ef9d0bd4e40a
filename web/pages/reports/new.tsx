import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../app/session.tsx';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { say } from '../../parts/toast.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { ReportForm } from './report-form.tsx';

/** Form for a new report that is kept, and sent where it has recipients. */
export default function NewReportPage(): ReactNode {
  const w = words.reports;
  const [, navigate] = useLocation();
  const crumbs = [{ text: w.title, href: '/reports' }, { text: w.create }];
  if (!useSession().isAtLeast('editor'))
    return <PageHead title={w.create} crumbs={crumbs} text={<NeedsRole least="editor" />} />;
  return (
    <>
      <PageHead title={w.create} crumbs={crumbs} />
      <Card className="narrow">
        <ReportForm
          report={null}
          onCancel={() => navigate('/reports')}
          onSaved={({ id, name }) => {
            say(w.created(name));
            navigate(`/reports/${id}`);
          }}
        />
      </Card>
    </>
  );
}
