"""What a profile is: frozen dataclasses, their JSON and the files that hold it.

Standard library only, since everything else imports this and the sidecar's files are read with it.
"""
