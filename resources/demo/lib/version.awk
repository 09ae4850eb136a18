# nvidia-smi --version. In: table.
BEGIN {
  if (read_table(table) < 1) exit 6
  driver = GPU[1, "driver_version"]
  library = driver
  sub(/\.[0-9]+$/, "", library)
  printf "%-20s: %s\n", "NVIDIA-SMI version", driver
  printf "%-20s: %s\n", "NVML version", library
  printf "%-20s: %s\n", "DRIVER version", driver
  printf "%-20s: %s\n", "CUDA version", GPU[1, "q.cuda_version"]
}
