"""A cluster whose workers may take their time to end, or are killed."""

import logging
import os
import signal

from distributed import LocalCluster, Nanny


class PatientNanny(Nanny):
    """Waits for its worker to end longer than Dask, which waits 5 seconds."""

    async def close(self, timeout=120, reason="nanny-close"):
        return await super().close(timeout, reason)


def start_cluster(folder, n_workers=2):
    """Start a cluster with files in a folder that others on this machine let alone."""
    return LocalCluster(n_workers=n_workers, threads_per_worker=1, memory_limit="1GB",
                        worker_class=PatientNanny, dashboard_address=":0",
                        silence_logs=logging.CRITICAL, local_directory=str(folder))


def kill_at(client, moment, killed):
    """Return a callback that kills a worker once, and adds its process to a list."""
    def kill(share):
        if share >= moment and not killed:
            killed.append(min(client.run(os.getpid, on_error="ignore").values()))
            os.kill(killed[0], signal.SIGKILL)

    return kill
