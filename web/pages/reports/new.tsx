import { useLocation } from 'wouter';
import { NewPage } from '../../parts/sections.tsx';
import { words } from '../../words/index.ts';
import { ReportForm } from './report-form.tsx';

/** Form for a new report that is kept, and sent where it has recipients. */
export default function NewReportPage() {
  const w = words.reports;
  const [, navigate] = useLocation();
  return (
    <NewPage
      least="editor"
      title={w.create}
      crumbs={[{ text: words.nav.reports, href: '/reports' }, { text: w.create }]}
    >
      <ReportForm
        report={null}
        onCancel={() => navigate('/reports')}
        onSaved={({ id }) => navigate(`/reports/${id}`)}
      />
    </NewPage>
  );
}
