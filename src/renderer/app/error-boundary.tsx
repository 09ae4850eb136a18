import { Component, type ErrorInfo, type ReactNode } from 'react';
import { describeCrash, reportCrash, type CrashDetails } from './crash-reports.ts';
import { CrashScreen } from './crash-screen.tsx';

interface ErrorBoundaryState {
  readonly crash: CrashDetails | null;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { crash: null };

  static getDerivedStateFromError(cause: unknown): ErrorBoundaryState {
    return { crash: describeCrash(cause) };
  }

  override componentDidCatch(cause: unknown, info: ErrorInfo): void {
    const { message, stack } = describeCrash(cause);
    reportCrash({ message, stack: `${stack}\n\nIn:${info.componentStack ?? ' unknown'}` });
  }

  override render(): ReactNode {
    const { crash } = this.state;
    return crash === null ? this.props.children : <CrashScreen {...crash} />;
  }
}
